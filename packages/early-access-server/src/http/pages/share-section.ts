import { escapeHtml } from '../../mail/templates/escape-html.ts';
import type { PageTexts } from './page-texts.ts';

/**
 * The HTML of a person's share link, without values. `FILL_IN` shows an element with `data-if` if there is a value of
 * that name, and writes a value into the element with its `data-field`.
 */
export function shareSection({ shareTitle, copyLink, linkCopied }: PageTexts): string {
  return `<div class="part" data-if="share" hidden>
<h2>${escapeHtml(shareTitle)}</h2>
<p data-field="share.hint"></p>
<p class="link"><bdi data-field="share.url"></bdi></p>
<button type="button" data-action="copy">${escapeHtml(copyLink)}</button>
<p role="status" data-text="${escapeHtml(linkCopied)}"></p>
<p class="friends"><span data-field="share.friends"></span><br><span data-field="share.place"></span></p>
</div>`;
}

export const SHARE_STYLE = `
.part { margin-top: 2rem; padding-top: 2rem; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.part > h2 { margin-top: 0; }
.part > p { margin-bottom: 1rem; }
.link { padding: .6875rem .875rem; border: 1px dashed color-mix(in srgb, currentColor 40%, transparent); border-radius: 8px;
  font-size: .9375rem; direction: ltr; text-align: left; word-break: break-all; }
.part > .friends { margin: 1.25rem 0 0; font-weight: 600; }
[role=status]:not(:empty) { margin: 1rem 0 0; }
[role=status]:empty { margin: 0; }
`;

export const FILL_IN = `
const { lang } = document.documentElement;

function fillIn(values) {
  for (const part of all('[data-if]')) part.hidden = values[part.dataset.if] == null;
  for (const field of all('[data-field]')) {
    const name = field.dataset.field;
    const value = name.split('.').reduce((part, key) => part?.[key], values) ?? '';
    field.textContent = /_at$/.test(name) ? new Date(value).toLocaleDateString(lang, { dateStyle: 'long' }) : value;
  }
}

async function copyLink(part) {
  const url = part.querySelector('bdi');
  const copied = part.querySelector('[role=status]');
  try {
    await navigator.clipboard.writeText(url.textContent);
    copied.textContent = copied.dataset.text;
  } catch {
    getSelection().selectAllChildren(url);
  }
}
`;
