/** A key with a name, as `KeyboardEvent.key` calls it. */
export type Key = 'Enter' | 'Escape' | 'Tab';

/** A point in CSS pixels, from the top left of the visible page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A tab of a real browser, driven the way a visitor uses it. */
export interface Tab {
  /** Navigates, and waits until the page has loaded. */
  open(url: string): Promise<void>;
  /** Runs a function in the page, which uses nothing from outside, and returns its result, which has to be JSON. */
  evaluate(run: (argument: string) => unknown, argument?: string): Promise<unknown>;
  /** Clicks at a point of the window. */
  clickAt(point: Point): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Presses the shortcut of the admin's overlay. */
  pressControlAltA(): Promise<void>;
  /** Closes it as a visitor does, so that the page receives its last events. */
  close(): Promise<void>;
}

/** The tab with which the browser starts, which is never closed. */
export interface FirstTab extends Omit<Tab, 'close'> {
  /** How `hide` hides it. */
  readonly hiddenBy: 'another tab' | 'a simulated event';
  hide(): Promise<void>;
  show(): Promise<void>;
}

/** A running browser. */
export interface Engine {
  readonly version: string;
  readonly firstTab: FirstTab;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}
