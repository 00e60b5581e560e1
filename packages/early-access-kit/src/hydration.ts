import { useEffect } from 'react';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Returns a function that copies values and focus from the current form fields in `root` to their replacements. React
 * replaces the whole page if it differs from its own rendering, for example because a password manager has added a
 * button to the form, and visitors may have typed by then. Pass the function to `hydrateRoot` as `onRecoverableError`;
 * if a framework calls `hydrateRoot`, see `useTypedText`. Preact moves fields instead, which loses the focus: call the
 * function after `hydrate`.
 *
 * @example
 * hydrateRoot(root, <App />, { onRecoverableError: keepTypedText(root) });
 */
export function keepTypedText(root: ParentNode & EventTarget): () => void {
  const findFields = () => [...root.querySelectorAll<Field>('form :is(input, select, textarea)[name]')];
  const before = findFields();
  let focused: EventTarget | null = document.activeElement;
  const onFocus = ({ target }: Event) => {
    focused = target;
  };
  root.addEventListener('focusin', onFocus);
  return () => {
    root.removeEventListener('focusin', onFocus);
    for (const [index, field] of findFields().entries()) {
      const replaced = before[index];
      if (replaced?.name !== field.name) continue;
      if (!replaced.isConnected) {
        if ('checked' in field && 'checked' in replaced) field.checked = replaced.checked;
        field.value = replaced.value;
      }
      if (replaced === focused && document.activeElement === document.body) field.focus();
    }
  };
}

/** Runs when a component imports this module, which is before hydration. There is no document on a server. */
let restore: (() => void) | undefined = /* @__PURE__ */ (() => globalThis.document && keepTypedText(document))();

/**
 * `keepTypedText` as a hook, for Next.js, Astro and other frameworks that call `hydrateRoot`. Use it in a component
 * that contains the form.
 *
 * @example
 * useTypedText(); // In the component that renders the form
 * return <SignupForm />;
 */
export function useTypedText(): void {
  useEffect(() => {
    restore?.();
    // Fields of pages that are rendered later do not replace these.
    restore = undefined;
  }, []);
}
