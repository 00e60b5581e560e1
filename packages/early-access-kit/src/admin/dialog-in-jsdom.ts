/**
 * For tests: what jsdom's `<dialog>` lacks, as the HTML standard has it. `showModal` remembers the focus and moves it in,
 * `close` gives it back and queues a `close` event, Escape cancels. Call once per test file, at its top.
 */
export function installDialog(): void {
  // Taken before user-event wraps it: a browser moves the focus itself, whatever stands on the prototype.
  const { focus } = HTMLElement.prototype;
  const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      if (this.open) throw new DOMException('already open', 'InvalidStateError');
      focusedBefore.set(this, document.activeElement);
      this.open = true;
      const first = this.querySelector<HTMLElement>('button, input, [tabindex]');
      if (first) focus.call(first);
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return;
      this.open = false;
      const before = focusedBefore.get(this);
      if (before instanceof HTMLElement) focus.call(before);
      queueMicrotask(() => this.dispatchEvent(new Event('close')));
    },
  });
  document.addEventListener('keydown', (event) => {
    const top = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
    if (event.key !== 'Escape' || !top) return;
    if (top.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close();
  });
}
