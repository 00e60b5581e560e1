import { DATE_LOCALES, LONG_DAY } from '../../app/text/dates.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import type { PaletteColor } from './page.ts';
import type { PageTexts } from './page-texts.ts';

/**
 * The HTML of a person's share link, without values. `FILL_IN` shows elements with `data-if` if that value exists,
 * writes values into elements with `data-field`, and sets the attributes listed in `data-set`.
 */
export function shareSection({ shareTitle, copyLink, linkCopied }: PageTexts): string {
  return `<div class="part" data-if="share" hidden>
<h2>${escapeHtml(shareTitle)}</h2>
<p data-field="share.hint"></p>
<p class="link"><bdi data-field="share.url"></bdi></p>
<button type="button" data-action="copy">${escapeHtml(copyLink)}</button>
<p role="status" data-text="${escapeHtml(linkCopied)}"></p>
<p class="friends"><span data-field="share.friends"></span><br><span data-field="share.place"></span></p>
<div class="line" data-if="share.line" hidden>
<svg aria-hidden="true" focusable="false" data-set="viewBox share.line.viewBox"><path data-set="d share.line.ahead"/><path class="own" data-set="d share.line.own"/></svg>
<p data-field="share.line.scale"></p>
</div>
</div>`;
}

export const shareStyle = (color: PaletteColor) => `
.part { margin-top: 2rem; padding-top: 2rem; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.part > h2 { margin-top: 0; }
.part > p { margin-bottom: 1rem; }
.link { padding: .6875rem .875rem; border: 1px dashed color-mix(in srgb, currentColor 40%, transparent); border-radius: var(--radius);
  font-size: .9375rem; direction: ltr; text-align: left; word-break: break-all; }
.part > .friends { margin: 1.25rem 0 0; font-weight: 600; }
/* Each dash is a dot, as in the paths. */
.line svg { display: block; width: 100%; max-width: 20rem; margin-top: .75rem; fill: none; stroke: currentColor; stroke-width: 5;
  stroke-linecap: round; stroke-dasharray: 0 10; }
.line svg:dir(rtl) { transform: scaleX(-1); }
.line .own { stroke: ${color('link')}; stroke-width: 9; }
@media (forced-colors: active) { .line .own { stroke: Highlight; } }
.line p { margin: .5rem 0 0; font-size: .9375rem; }
.line p:empty { display: none; }
[role=status]:not(:empty) { margin: 1rem 0 0; }
[role=status]:empty { margin: 0; }
`;

export const FILL_IN = `
const { lang } = document.documentElement;
const dateLocale = ${JSON.stringify(DATE_LOCALES)}[lang] ?? lang;

function fillIn(values) {
  const read = (name) => name.split('.').reduce((part, key) => part?.[key], values);
  for (const part of all('[data-if]')) part.hidden = read(part.dataset.if) == null;
  for (const field of all('[data-field]')) {
    const name = field.dataset.field;
    const value = read(name) ?? '';
    field.textContent = /_at$/.test(name) ? new Date(value).toLocaleDateString(dateLocale, ${JSON.stringify(LONG_DAY)}) : value;
  }
  for (const element of all('[data-set]')) {
    const [attribute, name] = element.dataset.set.split(' ');
    const value = read(name);
    if (value !== undefined) element.setAttribute(attribute, value);
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
