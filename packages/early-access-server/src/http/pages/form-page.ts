import {
  DEFAULT_BASE,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldOption,
  fieldLength,
  HONEYPOT_FIELD,
  labelParts,
  MAX_RAW_EMAIL_LENGTH,
  ROUTES,
} from 'early-access-kit/internal';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { ListClosed } from '../../app/signup/list-status.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { closedContent } from './closed-list.ts';
import { type PageRights, type PaletteColor, pageBuilder, type Theme } from './page.ts';
import { type AllPageTexts, fillNumber, type PageTexts, resolveTexts } from './page-texts.ts';

export const JOIN_PAGE = '/join';
export const QR_CODE = '/join/qr.svg';
export const FRAME_PAGE = '/form';

/** Parameters shared by the form, its result and the link back to the form. */
export interface FormState {
  readonly page: typeof JOIN_PAGE | typeof FRAME_PAGE;
  /** The form's key, if the server knows it. */
  readonly key?: string | undefined;
  readonly theme?: Theme | undefined;
  /** The language in the URL. */
  readonly lang?: string | undefined;
  /** The page to redirect to after a successful signup, instead of the result page. */
  readonly success_url?: string | undefined;
}

/** The URL of the page with the form. `campaign`: the visitor's UTM parameters. */
export function formUrl({ page, ...query }: FormState, campaign: Readonly<Record<string, string>> = {}): string {
  return addQuery(page, { ...query, ...campaign });
}

export function addQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, value);
  return given.size === 0 ? path : `${path}?${given}`;
}

interface FormPage {
  readonly language: Language;
  readonly state: FormState;
  readonly source: string;
  /** Why the list accepts nobody, shown on the page. Null: it is open. */
  readonly closed?: ListClosed | null;
}

/** `/join`: a complete signup page in the brand's style. */
export function joinPage(
  brand: BrandOfSite,
  fields: FieldDeclarations = {},
  pageTexts: AllPageTexts = resolveTexts(),
  { opensFromFrames = false }: Pick<PageRights, 'opensFromFrames'> = {},
) {
  const { picture } = brand;
  const pictures = picture === undefined ? [] : [new URL(picture).origin];
  const style: PageRights['style'] = (color) => createFormStyle(color) + moreFieldsStyle(fields, color) + JOIN_STYLE;
  const { html, ...builder } = pageBuilder(brand, { sendsForm: true, pictures, style, opensFromFrames });
  return {
    headersFor: headersFor(builder),
    /** `url` is the page's own URL, for link previews. `count`: how many people have joined; null shows nothing. */
    html(page: FormPage & { readonly url: string; readonly count?: number | null }): string {
      const { language, count = null, closed = null } = page;
      const texts = pageTexts[language];
      const head = previewTags(texts.joinTitle, texts.joinText, page.url, brand);
      const image = picture === undefined ? '' : `<img class="picture" src="${escapeHtml(picture)}" alt="">\n`;
      if (closed !== null) {
        const content =
          image + closedContent(closed, texts, { form: createForm(page, texts, fields), isFramed: false });
        return html({ language, title: texts[`${closed.closed}Title`], content, head, isListed: true });
      }
      const content = `${image}<h1>${escapeHtml(texts.joinTitle)}</h1>
<p>${escapeHtml(texts.joinText)}</p>
${createForm(page, texts, fields)}${count === null ? '' : `\n<p class="joined">${escapeHtml(fillNumber(texts.joinCount, 'count', count, language))}</p>`}
<details class="phone"><summary>${escapeHtml(texts.phoneLink)}</summary>
<img src="${QR_CODE}" alt="${escapeHtml(page.url)}" width="200" height="200" loading="lazy"></details>`;
      return html({ language, title: texts.joinTitle, content, head, isListed: true });
    },
  };
}

function headersFor({ headers, headersLeadingTo }: Omit<ReturnType<typeof pageBuilder>, 'html'>) {
  return ({ success_url: url }: FormState) => (url === undefined ? headers : headersLeadingTo(url));
}

/** Rights of framed pages, which report their height to the framing page. */
export function frameRights(framedBy: readonly string[] | null) {
  return { framedBy, script: REPORT_HEIGHT, style: () => FRAME_STYLE } satisfies PageRights;
}

/** `/form`: only the form, for a frame. */
export function framePage(
  brand: BrandOfSite,
  framedBy: readonly string[] | null,
  fields: FieldDeclarations = {},
  pageTexts: AllPageTexts = resolveTexts(),
) {
  const style: PageRights['style'] = (color) => createFormStyle(color) + moreFieldsStyle(fields, color) + FRAME_STYLE;
  const { html, ...builder } = pageBuilder(brand, { ...frameRights(framedBy), style, sendsForm: true });
  return {
    headersFor: headersFor(builder),
    html(page: FormPage): string {
      const texts = pageTexts[page.language];
      const { closed = null } = page;
      const title = closed === null ? texts.joinTitle : texts[`${closed.closed}Title`];
      const content =
        closed === null
          ? `<h1 class="unseen">${escapeHtml(title)}</h1>\n${createForm(page, texts, fields)}`
          : closedContent(closed, texts, { form: createForm(page, texts, fields), isFramed: true });
      return html({ language: page.language, title, content, theme: page.state.theme });
    },
  };
}

/** The page shown in frames that may not show the form: a link that opens the form in a new tab. */
export function frameLinkPage(brand: BrandOfSite, pageTexts: AllPageTexts = resolveTexts()) {
  const { headers, html } = pageBuilder(brand, frameRights(null));
  return {
    headers,
    html(language: Language, url: string, theme?: Theme): string {
      const texts = pageTexts[language];
      const content = `<h1>${escapeHtml(texts.joinTitle)}</h1>
<p>${escapeHtml(texts.frameText)}</p>
<a class="button" href="${escapeHtml(url)}" target="_blank" rel="noopener">${escapeHtml(texts.frameLink)}</a>`;
      return html({ language, title: texts.joinTitle, content, theme });
    },
  };
}

function previewTags(title: string, text: string, url: string, { name, picture }: BrandOfSite): string {
  const tags = {
    'og:type': 'website',
    'og:site_name': name,
    'og:title': title,
    'og:description': text,
    'og:url': url,
    ...(picture !== undefined && { 'og:image': picture }),
  };
  return `<link rel="icon" href="data:,">
<link rel="canonical" href="${escapeHtml(url)}">
<meta name="description" content="${escapeHtml(text)}">
${Object.entries(tags)
  .map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">\n`)
  .join('')}<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">
`;
}

function createForm(
  { language, state, source, closed }: FormPage,
  texts: PageTexts,
  fields: FieldDeclarations,
): string {
  const { page, ...query } = state;
  const action = addQuery(DEFAULT_BASE + ROUTES.signupForm, { page: page.slice(1), ...query });
  const inputs = Object.entries(fields).map(([name, field]) => createField(name, field, texts));
  // The host's page must replace the window, not the frame.
  const target = page === FRAME_PAGE && state.success_url !== undefined ? ' target="_top"' : '';
  return `<form method="post" action="${escapeHtml(action)}"${target}>
<input type="hidden" name="lang" value="${language}">
<input type="hidden" name="source" value="${escapeHtml(source)}">
<input class="unseen" name="${HONEYPOT_FIELD}" tabindex="-1" autocomplete="off" aria-hidden="true" data-1p-ignore data-lpignore="true">
<label for="email">${escapeHtml(texts.emailLabel)}</label>
<input id="email" name="email" type="email" required maxlength="${MAX_RAW_EMAIL_LENGTH}" autocomplete="email" spellcheck="false" dir="ltr" placeholder="${escapeHtml(texts.emailPlaceholder)}">
${inputs.length === 0 ? '' : `<input type="hidden" name="fields" value="1">\n${inputs.join('\n')}\n`}<button>${escapeHtml(closed ? texts.requestButton : texts.submit)}</button>
</form>`;
}

/** An input for one of the host's fields, with the same markup as in the kit's form. */
function createField(name: string, field: FieldDeclaration, { fieldOptional }: PageTexts): string {
  const id = `field-${name}`;
  const described = field.help === undefined ? '' : ` aria-describedby="${id}-help"`;
  const attributes = `id="${id}" name="${name}"${field.required ? ' required' : ''}${described}`;
  const text = labelParts(field).map(({ text, href }) => {
    const shown = escapeHtml(text);
    // Opens in a new tab, so that typed input is not lost and frames do not navigate away.
    return href === undefined ? shown : `<a href="${escapeHtml(href)}" target="_blank" rel="noreferrer">${shown}</a>`;
  });
  const optional = field.required ? '' : ` <span>${escapeHtml(fieldOptional)}</span>`;
  const label = `<label for="${id}">${text.join('')}${optional}</label>`;
  const help = field.help === undefined ? '' : `\n<p class="help" id="${id}-help">${escapeHtml(field.help)}</p>`;
  if (field.type === 'checkbox') {
    const value = field.consent ? escapeHtml(field.label) : 'true';
    return `<div class="check"><input type="checkbox" ${attributes} value="${value}">${label}</div>${help}`;
  }
  if (field.type === 'choices') {
    const boxes = listOptions(field).map(
      ({ value, label }, index) =>
        `<div class="check"><input type="checkbox" id="${id}-${index}" name="${name}" value="${escapeHtml(value)}"><label for="${id}-${index}">${escapeHtml(label)}</label></div>`,
    );
    return `<fieldset id="${id}"${described}>\n<legend>${text.join('')}${optional}</legend>${help}\n${boxes.join('\n')}\n</fieldset>`;
  }
  return `${label}${help}\n${createInput(field, attributes)}`;
}

function createInput(field: Exclude<FieldDeclaration, { type: 'checkbox' | 'choices' }>, attributes: string): string {
  if (field.type === 'date') {
    const limits = Object.entries({ min: field.min, max: field.max });
    return `<input type="date" ${attributes}${limits.map(([limit, day]) => (day === undefined ? '' : ` ${limit}="${day}"`)).join('')}>`;
  }
  const placeholder = escapeHtml(field.placeholder ?? '');
  switch (field.type) {
    case 'select': {
      const options = listOptions(field).map(
        ({ value, label }) => `<option value="${escapeHtml(value)}">${escapeHtml(label)}</option>`,
      );
      return `<select ${attributes}><option value="">${placeholder || '–'}</option>${options.join('')}</select>`;
    }
    case 'tel':
      return `<input type="tel" ${attributes} dir="ltr" placeholder="${placeholder}" autocomplete="tel">`;
    case 'number':
      return `<input type="text" ${attributes} dir="ltr" inputmode="decimal" placeholder="${placeholder}">`;
    default: {
      // With `type="url"`, browsers would reject a URL without https:// before the server can add it.
      const isUrl = field.type === 'url';
      const autoComplete = field.autoComplete ?? (isUrl ? 'url' : undefined);
      const more = `maxlength="${fieldLength(field)}" placeholder="${placeholder}"${autoComplete === undefined ? '' : ` autocomplete="${escapeHtml(autoComplete)}"`}`;
      if (field.type === 'textarea') return `<textarea ${attributes} dir="auto" rows="4" ${more}></textarea>`;
      return `<input type="text" ${attributes} dir="${isUrl ? 'ltr" inputmode="url' : 'auto'}" ${more}>`;
    }
  }
}

function listOptions({ options }: { readonly options: readonly (string | FieldOption)[] }): readonly FieldOption[] {
  return options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));
}

/**
 * Reports the height of the content in CSS pixels whenever it changes. It reveals nothing else, so any page may receive
 * it.
 */
const REPORT_HEIGHT = `
new ResizeObserver(() => {
  parent.postMessage({ earlyAccessHeight: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
}).observe(document.body);
`;

const createFormStyle: NonNullable<PageRights['style']> = (color) => `
form { display: grid; gap: .375rem; }
label { font-weight: 600; }
label span { font-weight: 400; color: ${color('muted')}; }
select { padding-inline-end: 2.5rem; appearance: none;
  background: conic-gradient(from -45deg at bottom, ${color('muted')} 90deg, transparent 0) right 1rem center / .75rem .375rem no-repeat; }
select:dir(rtl) { background-position: left 1rem center; }
select:has(option[value='']:checked) { color: ${color('muted')}; }
@media (forced-colors: active) { select { appearance: auto; background: none; } }
form > label { margin-top: .75rem; }
.unseen + label { margin-top: 0; }
.check { display: grid; grid-template-columns: auto 1fr; gap: .625rem; margin-top: .75rem; }
.check input { width: 24px; min-height: 24px; height: 24px; margin: 0; accent-color: ${color('accent')}; }
.check label { font-weight: 400; }
form button { margin-top: .75rem; min-height: 3rem; }
.unseen { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; margin: 0; overflow: hidden; clip-path: inset(50%); }
`;

/** Only on pages with such fields. */
const moreFieldsStyle = (fields: FieldDeclarations, color: PaletteColor) =>
  Object.values(fields).some(({ type, help }) => help !== undefined || type === 'textarea' || type === 'choices')
    ? `
textarea { box-sizing: border-box; width: 100%; padding: .5rem .875rem; border: 1px solid ${color('muted')}; border-radius: var(--radius);
  background: transparent; color: inherit; font: inherit; resize: vertical; }
textarea:focus-visible { outline: 3px solid ${color('link')}; outline-offset: 1px; }
fieldset { min-width: 0; margin: .75rem 0 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
legend span { font-weight: 400; color: ${color('muted')}; }
.help { margin: 0; color: ${color('muted')}; font-size: .9375rem; }
`
    : '';

/** On wide screens the picture is next to the form. */
const JOIN_STYLE = `
.picture { display: block; width: 100%; aspect-ratio: 16 / 9; margin: 0 0 1.5rem; border-radius: var(--radius); object-fit: cover; }
.joined { margin: 1.25rem 0 0; font-size: .9375rem; font-weight: 600; }
.phone { margin-top: 1.75rem; font-size: .9375rem; }
.phone summary { display: list-item; padding: .25rem 0; cursor: pointer; }
.phone img { display: block; margin-top: .75rem; border-radius: var(--radius); }
@media (max-width: 48rem) { .phone { display: none; } }
@media (min-width: 60rem) {
  main:has(.picture) { display: grid; grid-template: repeat(6, auto) / 1fr 1fr; align-content: center; column-gap: 3rem; width: min(100% - 4rem, 62rem); }
  main > * { grid-column: 2; }
  .picture { grid-area: 1 / 1 / -1; height: 100%; aspect-ratio: auto; margin: 0; }
}
`;

/**
 * The framing page is visible behind the form and shows the brand's name itself. `:root` overrides the brand's styles,
 * which come later.
 */
const FRAME_STYLE = `
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
:root body { place-items: start center; min-height: 0; background: none; }
:root main { width: min(100%, 34rem); margin: 0; padding: .25rem; border: 0; background: none; }
:root .brand { display: none; }
`;
