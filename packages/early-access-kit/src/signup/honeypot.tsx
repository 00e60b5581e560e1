/** Name of a hidden field that simple bots fill in. Servers reject a form that contains it. */
export const HONEYPOT_FIELD = 'website';

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
