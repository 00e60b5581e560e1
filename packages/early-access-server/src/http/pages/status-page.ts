import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { PersonState } from '../../app/lifecycle/states.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { LINK_STYLE, linkAlert, linkScript, newLinkForm, newLinkSent } from './link-page.ts';
import { pageBuilder } from './page.ts';
import { type AllPageTexts, linkBack, resolveTexts } from './page-texts.ts';
import { FILL_IN, shareSection, shareStyle } from './share-section.ts';

const STATES = {
  pending: { title: 'renewedTitle', text: 'unconfirmedText' },
  subscribed: { title: 'successTitle', text: 'successText' },
  invited: { title: 'invitedTitle', text: 'invitedText' },
  joined: { title: 'joinedTitle', text: 'joinedText' },
  unsubscribed: { title: 'unsubscribedTitle', text: 'unsubscribedText' },
  bounced: { title: 'bouncedTitle', text: 'bouncedText' },
} as const satisfies Record<PersonState, object>;

/** The names of the texts if there is nobody to show. `private`: the page was opened without a link. */
const ENDS = {
  private: { title: 'statusTitle', text: 'statusPrivateText' },
  unknown: { title: 'unknownTitle', text: 'statusUnknownText' },
  erased: { title: 'erasedTitle', text: 'erasedText' },
  'not-traceless': { title: 'erasedTitle', text: 'erasedInPartText' },
} as const;

type Heading = (typeof STATES)[keyof typeof STATES] | (typeof ENDS)[keyof typeof ENDS];

/**
 * A person's private page. The token is in the fragment, so the server only gets it from the script. Mail scanners open
 * links, run scripts and submit forms, so opening the page only reads data, there are no forms, and only real clicks
 * change anything.
 */
export function statusPage(brand: BrandOfSite, pageTexts: AllPageTexts = resolveTexts()) {
  const { headers, html } = pageBuilder(brand, {
    script: linkScript('status') + FILL_IN + SCRIPT,
    style: (color) => LINK_STYLE + shareStyle(color) + STYLE,
    referrerPolicy: 'no-referrer',
  });
  return {
    headers,
    html(language: Language, backLink: string): string {
      const texts = pageTexts[language];
      const text = (name: keyof typeof texts) => escapeHtml(texts[name]);
      const heading = ({ title, text: paragraph }: Heading) =>
        `<h1 tabindex="-1">${text(title)}</h1>\n<p>${text(paragraph)}</p>`;
      const states = Object.entries(STATES).map(
        ([state, names]) =>
          `<div data-state="${state}" hidden>\n${heading(names)}\n${state === 'unsubscribed' ? `<p>${linkBack(texts, backLink)}</p>\n` : ''}</div>`,
      );
      const ends = Object.entries(ENDS).map(
        ([step, names]) =>
          `<section data-step="${step}" hidden>\n${heading(names)}\n${step === 'private' || step === 'unknown' ? `${newLinkForm(texts, step)}\n` : ''}${linkBack(texts, backLink)}\n</section>`,
      );
      const content = `<section data-step="status" hidden>
${states.join('\n')}
<dl>
<dt>${text('emailLabel')}</dt><dd><bdi data-field="email"></bdi></dd>
<dt>${text('signedUpLabel')}</dt><dd data-field="signed_up_at"></dd>
</dl>
${shareSection(texts)}
<div class="part" data-unless="unsubscribed">
<h2>${text('addressTitle')}</h2>
<p>${text('addressText')}</p>
<form>
<label for="address">${text('addressLabel')}</label>
<input id="address" type="email" autocomplete="email" required maxlength="254" dir="ltr" placeholder="${text('emailPlaceholder')}">
<button data-action="address">${text('addressButton')}</button>
</form>
<p role="status" data-text="${text('addressSentText')}"></p>
</div>
<div class="part">
<h2>${text('dataTitle')}</h2>
<p>${text('dataText')}</p>
<button type="button" class="quiet" data-action="export">${text('dataButton')}</button>
</div>
<div class="part" data-unless="unsubscribed">
<h2>${text('unsubscribeButton')}</h2>
<p>${text('unsubscribeText')}</p>
<button type="button" class="quiet" data-action="unsubscribe">${text('unsubscribeButton')}</button>
</div>
<div class="part">
<h2>${text('eraseTitle')}</h2>
<p>${text('eraseText')}</p>
<button type="button" class="quiet" data-action="ask">${text('eraseButton')}</button>
<div data-ask hidden>
<p>${text('eraseAgainText')}</p>
<button type="button" class="danger" data-action="erase">${text('eraseAgainButton')}</button>
<button type="button" class="quiet" data-action="cancel">${text('cancelButton')}</button>
</div>
</div>
</section>
${ends.join('\n')}
${newLinkSent(texts, backLink)}
${linkAlert(texts, ` data-being-sent="${text('eraseLaterText')}"`)}`;
      return html({ language, title: texts.statusTitle, content });
    },
  };
}

const STYLE = `
[hidden] { display: none !important; }
dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { opacity: .75; }
dd { margin: 0; font-weight: 600; }
[data-ask] > p { margin-bottom: 1rem; font-weight: 600; }
/* The action that matters has the accent: another address if emails bounce, and else the share link. */
button.quiet, [data-state=bounced][hidden] ~ .part form button, [data-state=bounced]:not([hidden]) ~ .part [data-action=copy] { background: transparent; color: inherit; border-color: color-mix(in srgb, currentColor 60%, transparent); }
button.danger { background: #b3261e; color: #fff; }
[data-ask] button + button { margin-inline-start: .75rem; }
@media (forced-colors: active) { dt { opacity: 1; } }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd + dt { margin-top: .5rem; }
  [data-ask] button + button { margin: .75rem 0 0; } }
`;

const SCRIPT = `
function showStatus(status) {
  for (const part of all('[data-unless]')) part.hidden = part.dataset.unless === status.state;
  for (const part of all('[data-state]')) part.hidden = part.dataset.state !== status.state;
  fillIn(status);
  show('status');
}

const postStatus = (route, body) => post('/status' + route, { token, ...body });

const ask = document.querySelector('[data-ask]');
function askAgain(isAsking) {
  ask.hidden = !isAsking;
  document.querySelector('[data-action=ask]').hidden = isAsking;
  document.querySelector('[data-action=' + (isAsking ? 'cancel' : 'ask') + ']').focus();
}

const actions = {
  async address(part) {
    const input = part.querySelector('input');
    if (!input.reportValidity()) return;
    const sent = part.querySelector('[role=status]');
    sent.textContent = '';
    if (await postStatus('/address', { email: input.value })) sent.textContent = sent.dataset.text;
  },
  copy: copyLink,
  async export() {
    const response = await postStatus('/export');
    if (response === undefined) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = 'my-data.json';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },
  async unsubscribe() {
    const response = await postStatus('/unsubscribe');
    if (response) showStatus(await response.json());
  },
  ask: () => askAgain(true),
  cancel: () => askAgain(false),
  async erase() {
    const response = await postStatus('/erase');
    if (response === undefined) return;
    const { result } = await response.json();
    if (result === 'being-sent') alert.textContent = alert.dataset.beingSent;
    else show(result);
  },
};
for (const button of all('[data-action]')) {
  onPress(button, () => actions[button.dataset.action](button.closest('.part')));
}

whenShown(async () => {
  if (token === null) return show('private');
  const response = await postStatus('');
  if (response) showStatus(await response.json());
});
`;
