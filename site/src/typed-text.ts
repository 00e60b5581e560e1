/**
 * Returns a function that copies text and focus from the fields that are in `root` now to their replacements. React replaces the
 * whole page if it differs from its own rendering, as after a password manager has added a button to the form. Visitors may have typed
 * by then.
 */
export function keepTypedText(root: HTMLElement): () => void {
  const findFields = () => [...root.querySelectorAll<HTMLInputElement>('form input[name]')];
  const before = findFields();
  let focused: EventTarget | null = document.activeElement;
  const onFocus = ({ target }: FocusEvent) => {
    focused = target;
  };
  root.addEventListener('focusin', onFocus);
  return () => {
    root.removeEventListener('focusin', onFocus);
    for (const [index, field] of findFields().entries()) {
      const replaced = before[index];
      if (replaced === undefined || replaced.isConnected) continue;
      field.value = replaced.value;
      if (replaced === focused && document.activeElement === document.body) field.focus();
    }
  };
}
