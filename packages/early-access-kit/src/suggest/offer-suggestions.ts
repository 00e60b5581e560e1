import { suggestDomain } from '../core/suggest-domain.ts';

/**
 * Offers to correct the domain of the address in a field, below it, until the signal is aborted. A click or the down
 * arrow accepts; the visitor may ignore it. `text` contains `{domain}`.
 */
export function offerSuggestions(input: HTMLInputElement, text: string, signal?: AbortSignal): void {
  // The region is in the page before its text, because screen readers do not announce a region that arrives with text.
  const box = create('p', 'suggestion');
  const button = create('button', 'accept');
  const domain = create('u', 'domain');
  const form = input.closest<HTMLElement>('.eak-form');
  const options = signal && { signal };
  let shown: string | undefined;

  function accept(): void {
    if (!shown || input.readOnly) return;
    const address = input.value.replace(/[^@]*$/, shown);
    // The prototype's setter, because React overrides that of a controlled input.
    Reflect.set(HTMLInputElement.prototype, 'value', address, input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  }

  function show(isComplete: boolean): void {
    const [, typed] = input.value.toLowerCase().split('@');
    const meant = typed && suggestDomain(typed.trim(), isComplete);
    if (meant === shown) return;
    shown = meant;
    domain.textContent = meant ?? '';
    box.replaceChildren(...(meant ? [button] : []));
    // Uses the form's space for one line, so nothing below it moves.
    if (form) form.style.paddingBlockEnd = meant ? '0' : '';
  }

  box.setAttribute('aria-live', 'polite');
  box.style.fontSize = '.9375em';
  button.type = 'button';
  button.setAttribute('aria-keyshortcuts', 'ArrowDown');
  // A 30 px target in a 22 px line.
  button.style.cssText =
    'margin:.125rem 0 -.25rem;border:0;padding:.25rem 0;background:none;color:inherit;font:inherit;text-align:start;cursor:pointer';
  button.onclick = accept;
  domain.dir = 'ltr';
  const [before = '', after = ''] = text.split('{domain}');
  button.append(before, domain, after);
  input.parentElement?.append(box);
  input.addEventListener('input', () => show(false), options);
  input.addEventListener('change', () => show(true), options);
  input.addEventListener(
    'keydown',
    (event) => {
      if (!shown || event.key !== 'ArrowDown') return;
      event.preventDefault();
      accept();
    },
    options,
  );
  signal?.addEventListener('abort', () => box.remove());
  show(!input.matches(':focus'));
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = `eak-form__${name}`;
  return element;
}
