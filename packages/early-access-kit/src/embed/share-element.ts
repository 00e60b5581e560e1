import type { SharedLink, StorageAdapter } from '../core/adapter.ts';
import { canShare, copyLink, openShareDialog, readSharedLink, watchSignups } from '../share/shared-link.ts';
import { widgetRoot } from './styles.ts';

/**
 * Defines `<early-access-share>`, which is empty until the visitor has signed up. `adapter` is embed.js's, through
 * which the page's signups go.
 */
export function defineShareElement(adapter: StorageAdapter): void {
  const watch = watchSignups(adapter);
  adapter.createSignup = watch.createSignup;

  customElements.define(
    'early-access-share',
    class extends HTMLElement {
      readonly #root = widgetRoot(this);
      #unsubscribe: (() => void) | undefined;

      connectedCallback(): void {
        const update = async () => {
          const signup = watch.current();
          const { lang } = this.closest<HTMLElement>('[lang]') ?? document.documentElement;
          const link = signup && (await readSharedLink(adapter, signup, lang || undefined));
          if (signup === watch.current()) this.#root.replaceChildren(...(link ? [createView(link)] : []));
        };
        this.#unsubscribe = watch.subscribe(update);
        update();
      }

      disconnectedCallback(): void {
        this.#unsubscribe?.();
      }
    },
  );
}

/** Renders the same as `<ShareLink>`, but without a copy of Preact. */
function createView(link: SharedLink): HTMLElement {
  const input = create('input', 'input', {
    id: 'url',
    dir: 'ltr',
    value: link.url,
    readOnly: true,
    onfocus: () => input.select(),
  });
  const status = create('span', 'status', { role: 'status' });
  const copy = create('button', 'button', {
    type: 'button',
    textContent: link.copy,
    onclick: async () => {
      if (await copyLink(link)) status.textContent = link.copied;
      else input.focus();
    },
  });
  const share = create('button', 'button', {
    type: 'button',
    textContent: link.share,
    onclick: () => void openShareDialog(link),
  });
  const field = create('div', 'field');
  field.append(input);
  const row = create('div', 'row');
  row.append(field, copy, ...(canShare() ? [share] : []));
  const figures = create('p', 'hint', { textContent: `${[link.friends, link.place].filter(Boolean).join(' · ')} ` });
  figures.append(status);
  const form = create('div', 'form');
  form.className = 'eak-form';
  form.append(
    create('label', 'label', { htmlFor: 'url', textContent: link.title }),
    row,
    create('p', 'hint', { textContent: link.hint }),
    figures,
  );
  const root = create('section', 'root');
  root.className = 'eak-signup';
  root.append(form);
  return root;
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  part: string,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), { className: `eak-form__${part}`, ...properties });
  element.setAttribute('part', part);
  return element;
}
