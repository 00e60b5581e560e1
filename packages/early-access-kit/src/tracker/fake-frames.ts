/**
 * A fake `ResizeObserver`, which jsdom lacks. Calls back after a frame's layout, and again when the test changes the height. Frames run
 * immediately unless the test delays them; a hidden page has none.
 */
export class FakeFrames {
  /** True between layout and paint, when reading a height forces no layout. */
  static laidOut = false;
  static readonly #observing = new Set<FakeFrames>();
  static #waits = false;
  readonly #callback: () => void;

  constructor(callback: () => void) {
    this.#callback = callback;
  }

  /** Whether any observer is still connected. */
  static get observed(): boolean {
    return FakeFrames.#observing.size > 0;
  }

  /** Call when the height of the page has changed. */
  static next(): void {
    FakeFrames.#callBack(FakeFrames.#observing);
  }

  /** Runs `happening` before the next frame. */
  static during(happening: () => void): void {
    FakeFrames.#waits = true;
    happening();
    FakeFrames.#waits = false;
    FakeFrames.next();
  }

  static #callBack(observers: Iterable<FakeFrames>): void {
    if (document.hidden || FakeFrames.#waits) return;
    FakeFrames.laidOut = true;
    for (const observer of observers) observer.#callback();
    FakeFrames.laidOut = false;
  }

  observe(): void {
    FakeFrames.#observing.add(this);
    FakeFrames.#callBack([this]);
  }

  disconnect(): void {
    FakeFrames.#observing.delete(this);
  }
}
