/**
 * Stands in for `ResizeObserver`, which jsdom lacks: calls back when a frame has been laid out, and again where the test says that the
 * height has changed. Frames come at once, unless the test says otherwise; a hidden page has none.
 */
export class FakeFrames {
  /** Between layout and paint: what is read now makes the browser lay nothing out. */
  static laidOut = false;
  static readonly #observing = new Set<FakeFrames>();
  static #waits = false;
  readonly #callback: () => void;

  constructor(callback: () => void) {
    this.#callback = callback;
  }

  /** Whether anybody still wants to hear of frames. */
  static get observed(): boolean {
    return FakeFrames.#observing.size > 0;
  }

  /** Something has changed the height of the page. */
  static next(): void {
    FakeFrames.#callBack(FakeFrames.#observing);
  }

  /** Does all of it before the next frame. */
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
