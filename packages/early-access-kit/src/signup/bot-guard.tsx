import { HONEYPOT_FIELD } from '../core/protocol.ts';

/**
 * Minimum time from the first render to a submission; a faster one, such as an autofill, is delayed for the rest. Well below one
 * second, the default timeout of Testing Library, so that hosts' tests need not account for it.
 */
export const MIN_FILL_MS = 300;

/** A hidden field that simple bots fill in. */
export function Honeypot() {
  return (
    <div className="eak-form__extra" aria-hidden="true">
      <input className="eak-form__more" type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
    </div>
  );
}

export function emptyHoneypot(form: HTMLFormElement): void {
  const field = form.elements.namedItem(HONEYPOT_FIELD);
  if (field instanceof HTMLInputElement) field.value = '';
}
