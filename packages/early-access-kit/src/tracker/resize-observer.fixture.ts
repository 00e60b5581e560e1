/**
 * A fake `ResizeObserver`, which jsdom lacks. Calls back after a frame's layout, and again when the test changes the
 * height. Frames run immediately unless the test delays them; a hidden page has none.
 */
export class FakeResizeObserver {
  /** True between layout and paint, when reading a height forces no layout. */
  static laidOut = false;
  static readonly #observing = new Set<FakeResizeObserver>();
  static #waits = false;
  readonly #callback: () => void;

  constructor(callback: () => void) {
    this.#callback = callback;
  }

  /** Whether any observer is still connected. */
  static get observed(): boolean {
    return FakeResizeObserver.#observing.size > 0;
  }

  /** Call when the height of the page has changed. */
  static next(): void {
    FakeResizeObserver.#callBack(FakeResizeObserver.#observing);
  }

  /** Runs `happening` before the next frame. */
  static during(happening: () => void): void {
    FakeResizeObserver.#waits = true;
    happening();
    FakeResizeObserver.#waits = false;
    FakeResizeObserver.next();
  }

  static #callBack(observers: Iterable<FakeResizeObserver>): void {
    if (document.hidden || FakeResizeObserver.#waits) return;
    FakeResizeObserver.laidOut = true;
    for (const observer of observers) observer.#callback();
    FakeResizeObserver.laidOut = false;
  }

  observe(): void {
    FakeResizeObserver.#observing.add(this);
    FakeResizeObserver.#callBack([this]);
  }

  disconnect(): void {
    FakeResizeObserver.#observing.delete(this);
  }
}
