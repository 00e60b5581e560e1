import { DEFAULT_BASE } from 'early-access-kit/internal';
import type { NewLinkPage } from '../../app/mail/message-kinds.ts';
import { TOKEN_OF_LINK } from '../../app/people/meant-link.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { linkBack, type PageTexts } from './page-texts.ts';

/** Shared parts of the pages whose token is in the link's fragment, so that the server only gets it from the script. */

/**
 * The form that requests a new link for an address, if a link has lost its token or no longer works. `step`: the
 * section that contains the form.
 */
export function newLinkForm(texts: PageTexts, step: string): string {
  const text = (name: keyof PageTexts) => escapeHtml(texts[name]);
  return `<form class="new-link" novalidate>
<p>${text('newLinkText')}</p>
<label for="email-${step}">${text('emailLabel')}</label>
<input id="email-${step}" type="email" autocomplete="email" required maxlength="254" dir="ltr" placeholder="${text('emailPlaceholder')}">
<button>${text('renewButton')}</button>
</form>`;
}

/** The result of the form, the same for every address. */
export function newLinkSent(texts: PageTexts, backLink: string): string {
  return `<section data-step="sent" hidden>
<h1 tabindex="-1">${escapeHtml(texts.renewedTitle)}</h1>
<p>${escapeHtml(texts.newLinkSentText)}</p>
${linkBack(texts, backLink)}
</section>`;
}

/** The element that shows failures next to the control that was used. `more`: additional attributes. */
export function linkAlert(texts: PageTexts, more = ''): string {
  const text = (name: keyof PageTexts) => escapeHtml(texts[name]);
  return `<p role="alert" data-failed="${text('tryLater')}" data-often="${text('tooManyTries')}" data-invalid="${text('invalidEmail')}" data-press="${text('pressButtonText')}"${more}></p>
<noscript><p>${text('confirmNeedsScripts')}</p></noscript>`;
}

export const LINK_STYLE = `
label { display: block; font-weight: 600; margin-bottom: .375rem; }
input { margin-bottom: 1rem; }
.new-link p { margin-bottom: 1.25rem; }
.new-link + a { display: inline-block; margin-top: 1.5rem; }
`;

/**
 * The script shared by these pages. Mail scanners run scripts and click, so `onPress` only reacts to real clicks. For
 * clicks by a script it shows a message, because browser extensions may click for a person.
 */
export const linkScript = (page: NewLinkPage) => `
const token = location.hash.match(${TOKEN_OF_LINK})?.[1] ?? null;
const productName = document.title.slice(document.title.lastIndexOf(' · '));
const alert = document.querySelector('[role=alert]');
const all = (selector) => document.querySelectorAll(selector);

function show(step) {
  for (const section of all('section')) section.hidden = section.dataset.step !== step;
  const heading = [...all('h1')].find((heading) => heading.closest('[hidden]') === null);
  document.title = heading.textContent + productName;
  heading.focus();
}

async function post(route, body) {
  const buttons = [...all('button')];
  for (const button of buttons) button.disabled = true;
  alert.textContent = '';
  let [reason, text] = ['failed'];
  try {
    const response = await fetch('${DEFAULT_BASE}' + route, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20000),
    });
    if (response.ok) return response;
    if (response.status === 404) return void show('unknown');
    reason = { 400: 'invalid', 429: 'often' }[response.status] ?? reason;
    text = (await response.json()).error.text;
  } catch {} finally {
    for (const button of buttons) button.disabled = false;
  }
  alert.textContent = text ?? alert.dataset[reason];
}

function onPress(button, action) {
  button.addEventListener('click', (event) => {
    event.preventDefault();
    // Next to the button that was pressed, because a page may be long.
    button.closest('.new-link, .part, section').append(alert);
    alert.textContent = event.isTrusted ? '' : alert.dataset.press;
    if (event.isTrusted) action();
  });
}

for (const form of all('form')) form.addEventListener('submit', (event) => event.preventDefault());
for (const form of all('.new-link')) {
  onPress(form.querySelector('button'), async () => {
    const input = form.querySelector('input');
    if (input.reportValidity() && (await post('/links', { email: input.value, page: '${page}' }))) show('sent');
  });
}

function whenShown(start) {
  addEventListener('hashchange', () => location.reload());
  if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true });
  else start();
}
`;
