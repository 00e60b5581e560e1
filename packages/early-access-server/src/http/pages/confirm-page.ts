import { SIGNUP_KEY } from 'early-access-kit/internal';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { ConfirmResult } from '../../app/ports/list-store.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { LINK_STYLE, linkAlert, linkScript, newLinkForm, newLinkSent } from './link-page.ts';
import { type PaletteColor, pageBuilder } from './page.ts';
import { type AllPageTexts, linkBack, linkToStatus, resolveTexts } from './page-texts.ts';
import { FILL_IN, shareSection, shareStyle } from './share-section.ts';

const STEPS = {
  ask: { title: 'confirmTitle', text: 'confirmText', button: 'confirmButton' },
  confirmed: { title: 'successTitle', text: 'successText', button: null },
  'already-confirmed': { title: 'alreadyConfirmedTitle', text: 'duplicateText', button: null },
  expired: { title: 'expiredTitle', text: 'expiredText', button: 'renewButton' },
  renewed: { title: 'renewedTitle', text: 'renewedText', button: null },
  unknown: { title: 'unknownTitle', text: 'unknownText', button: null },
} as const satisfies Record<Exclude<ConfirmResult, 'other-browser'> | 'ask' | 'renewed', object>;

interface ConfirmOptions {
  /** True if people have a status page. The token of a used confirmation link opens it. */
  readonly statusPage?: boolean;
  /** True if people have a share link. Only the response to a confirmed link contains it. */
  readonly shares?: boolean;
}

/**
 * The page that the link in a confirmation email leads to. The token is in the fragment, so the server only gets it
 * from the script after the person clicks. Mail scanners open links, run scripts and submit forms, so there is no form
 * and only real clicks count. The browser that signed up has the signup's key and needs no click.
 */
export function confirmPage(
  brand: BrandOfSite,
  pageTexts: AllPageTexts = resolveTexts(),
  { statusPage = false, shares = false }: ConfirmOptions = {},
) {
  const script =
    linkScript('confirm') + (shares ? FILL_IN + COPY_SCRIPT : '') + SCRIPT + (statusPage ? STATUS_LINK_SCRIPT : '');
  const style = (color: PaletteColor) => LINK_STYLE + (shares ? shareStyle(color) : '');
  const { headers, html } = pageBuilder(brand, { script, style, referrerPolicy: 'no-referrer' });
  return {
    headers,
    html(language: Language, backLink: string): string {
      const texts = pageTexts[language];
      const status = statusPage ? linkToStatus(texts) : '';
      const sections = Object.entries(STEPS).map(
        ([step, { title, text, button }]) => `<section data-step="${step}" hidden>
<h1 tabindex="-1">${escapeHtml(texts[title])}</h1>
<p>${escapeHtml(texts[text])}</p>
${step === 'unknown' ? `${newLinkForm(texts, step)}\n` : ''}${button === null ? linkBack(texts, backLink) + (/confirmed/.test(step) ? status : '') : `<button type="button">${escapeHtml(texts[button])}</button>`}
</section>`,
      );
      const content = `${sections.join('\n')}
${newLinkSent(texts, backLink)}${shares ? `\n${shareSection(texts)}` : ''}
${linkAlert(texts)}`;
      return html({ language, title: texts.confirmTitle, content });
    },
  };
}

/**
 * The browser's key is the cookie set by `/inbox`. If it belongs to another signup, it is not deleted, because that
 * signup's link may still be opened.
 */
const SCRIPT = `
let key = document.cookie.match(/${SIGNUP_KEY}=([^;]+)/)?.[1] ?? null;

async function confirm(body) {
  const response = await post('/confirm', body);
  if (response === undefined) return;
  const { result, share } = await response.json();
  if (result === 'other-browser') { key = null; return; }
  if (/confirmed/.test(result) && key !== null) document.cookie = '${SIGNUP_KEY}=; path=/confirm; max-age=0';
  if (share) fillIn({ share });
  show(result);
}

onPress(document.querySelector('[data-step=ask] button'), () => confirm({ token }));
onPress(document.querySelector('[data-step=expired] button'), async () => {
  if (await post('/confirm/renew', { token })) show('renewed');
});

whenShown(() => {
  if (token === null) return show('unknown');
  show('ask');
  if (key !== null) confirm({ token, submission_id: key });
});
`;

const COPY_SCRIPT = `
const copyButton = document.querySelector('[data-action=copy]');
copyButton.addEventListener('click', () => copyLink(copyButton.closest('.part')));
`;

const STATUS_LINK_SCRIPT = `for (const link of all('.also a')) link.hash = 'token=' + token;
`;
