import { DEFAULT_BASE, SIGNUP_KEY } from 'early-access-kit/core';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { ConfirmResult } from '../../app/ports/list-store.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { pageBuilder } from './page.ts';
import { type AllPageTexts, linkBack, linkToStatus, resolveTexts } from './page-texts.ts';
import { FILL_IN, SHARE_STYLE, shareSection } from './share-section.ts';

/** The names of each step's texts. */
const STEPS = {
  ask: { title: 'confirmTitle', text: 'confirmText', button: 'confirmButton' },
  confirmed: { title: 'successTitle', text: 'successText', button: null },
  'already-confirmed': { title: 'alreadyConfirmedTitle', text: 'duplicateText', button: null },
  expired: { title: 'expiredTitle', text: 'expiredText', button: 'renewButton' },
  renewed: { title: 'renewedTitle', text: 'renewedText', button: null },
  unknown: { title: 'unknownTitle', text: 'unknownText', button: null },
} as const satisfies Record<Exclude<ConfirmResult, 'other-browser'> | 'ask' | 'renewed', object>;

interface ConfirmOptions {
  /** Whether people have a status page, which the token of a link that has confirmed their address opens, too. */
  readonly statusPage?: boolean;
  /** Whether people have a share link. Only the response to a link that has confirmed their address contains it. */
  readonly shares?: boolean;
}

/**
 * The page that the link in a confirmation email leads to. The token is in the fragment, so the server gets it only from the script, once
 * the person clicks. Mail scanners open links, run scripts and submit forms: there is no form, and only clicks of a person count. The
 * browser that signed up has the signup's key and needs no click.
 */
export function confirmPage(
  brand: BrandOfSite,
  pageTexts: AllPageTexts = resolveTexts(),
  { statusPage = false, shares = false }: ConfirmOptions = {},
) {
  const script = (shares ? FILL_IN + COPY_SCRIPT : '') + SCRIPT + (statusPage ? LINK_SCRIPT : '');
  const style = () => (shares ? SHARE_STYLE : '');
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
${button === null ? linkBack(texts, backLink) + (/confirmed/.test(step) ? status : '') : `<button type="button">${escapeHtml(texts[button])}</button>`}
</section>`,
      );
      const content = `${sections.join('\n')}${shares ? `\n${shareSection(texts)}` : ''}
<p role="alert" data-text="${escapeHtml(texts.tryLater)}"></p>
<noscript><p>${escapeHtml(texts.confirmNeedsScripts)}</p></noscript>`;
      return html({ language, title: texts.confirmTitle, content });
    },
  };
}

/** The browser's key is the cookie of `/inbox`. If it belongs to another signup, whose link may still come, it is not removed. */
const SCRIPT = `
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const productName = document.title.slice(document.title.lastIndexOf(' · '));
const alert = document.querySelector('[role=alert]');
let key = document.cookie.match(/${SIGNUP_KEY}=([^;]+)/)?.[1] ?? null;

function show(step) {
  for (const section of document.querySelectorAll('section')) section.hidden = section.dataset.step !== step;
  const heading = document.querySelector('section:not([hidden]) h1');
  document.title = heading.textContent + productName;
  heading.focus();
}

async function post(route, body) {
  const buttons = [...document.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  alert.textContent = '';
  try {
    const response = await fetch('${DEFAULT_BASE}' + route, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20000),
    });
    if (response.ok) return response;
  } catch {} finally {
    for (const button of buttons) button.disabled = false;
  }
  alert.textContent = alert.dataset.text;
}

async function confirm(body) {
  const response = await post('/confirm', body);
  if (response === undefined) return;
  const { result, share } = await response.json();
  if (result === 'other-browser') { key = null; return; }
  if (/confirmed/.test(result) && key !== null) document.cookie = '${SIGNUP_KEY}=; path=/confirm; max-age=0';
  if (share) fillIn({ share });
  show(result);
}

function onClick(step, action) {
  document.querySelector('[data-step=' + step + '] button').addEventListener('click', (event) => {
    if (event.isTrusted) action();
  });
}
onClick('ask', () => confirm({ token }));
onClick('expired', async () => {
  if (await post('/confirm/renew', { token })) show('renewed');
});

function start() {
  if (token === null) return show('unknown');
  show('ask');
  if (key !== null) confirm({ token, submission_id: key });
}
addEventListener('hashchange', () => location.reload());
if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true });
else start();
`;

const COPY_SCRIPT = `
const copyButton = document.querySelector('[data-action=copy]');
copyButton.addEventListener('click', () => copyLink(copyButton.closest('.part')));
`;

const LINK_SCRIPT = `for (const link of document.querySelectorAll('.also a')) link.hash = location.hash;
`;
