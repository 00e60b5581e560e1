/**
 * Implements the parts of the HTML standard's `<dialog>` that jsdom lacks: `showModal` stores the focus and moves it
 * in, `close` restores it and queues a `close` event, Escape cancels. Call once at the top of a test file.
 */
export function installDialog(): void {
  // Saved before user-event wraps it, because a browser moves the focus without calling the patched method.
  const { focus } = HTMLElement.prototype;
  const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      if (this.open) throw new DOMException('already open', 'InvalidStateError');
      focusedBefore.set(this, document.activeElement);
      this.open = true;
      const first = this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector<HTMLElement>('button, input');
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
