import type { FieldDeclarations } from 'early-access-kit/core';
import type { Brand } from '../../app/brand/brand.ts';
import { LANGUAGES, type Language } from '../../app/brand/language.ts';
import { dateFormat, LONG_DAY } from '../../app/text/dates.ts';
import { readField } from '../../app/text/read-field.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { confirmPage } from './confirm-page.ts';
import { FRAME_PAGE, frameLinkPage, framePage, JOIN_PAGE, joinPage } from './form-page.ts';
import { invitePage } from './invite-page.ts';
import { pageShare, resolveTexts } from './page-texts.ts';
import { resultPages } from './result-page.ts';
import { statusPage } from './status-page.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

export const OUTCOMES = [
  'created',
  'pending',
  'duplicate',
  'invalid',
  'blocked',
  'disposable',
  'misspelled',
  'personal',
  'undeliverable',
  'missing-field',
  'invalid-field',
  'paused',
  'closed',
  'full',
  'requested',
  'failed',
  'no-origin',
  'foreign-origin',
] as const;
const ACME = { name: 'Acme', url: 'https://www.acme.example/', colors: { accent: '#0a7d4f' } };
const CLOSED = {
  closed: 'paused',
  message: null,
  link_url: 'https://blog.acme.example/',
  link_text: null,
  takes_requests: true,
} as const;
const FULL = {
  closed: 'full',
  message: 'All 500 places went within a day. Thank you!',
  link_url: 'https://www.acme.example/videos',
  link_text: 'Watch what we are building',
  takes_requests: false,
} as const;
const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9" preserveAspectRatio="xMidYMid slice"><path fill="#0a7d4f" d="M0 0h16v9H0z"/><path fill="#f2c14e" d="M4 9a4 4 0 0 1 8 0z"/><path fill="#fff" d="M11 2h3v1h-3z"/></svg>',
)}`;
const FIELDS: FieldDeclarations = {
  shop: { type: 'text', label: 'Name of your shop', required: true, autoComplete: 'organization' },
  link: { type: 'url', label: 'Link to it', placeholder: 'etsy.com/shop/…' },
  size: { type: 'select', label: 'Prints a month', options: ['Up to 50', '51 to 500', 'More'] },
  terms: { type: 'checkbox', label: 'I agree to the terms of the beta', consent: true, required: true },
};

const MORE_FIELDS: FieldDeclarations = {
  story: { type: 'textarea', label: 'What do you print?', help: 'In a few lines.' },
  phone: { type: 'tel', label: 'Telephone', placeholder: '+49 30 123456' },
  prints: { type: 'number', label: 'Prints a month', min: 0 },
  opened: { type: 'date', label: 'Opened', max: '2026-12-31' },
  likes: { type: 'choices', label: 'What should come first', required: true, options: ['Labels', 'Returns', 'Ads'] },
};

/** Renders every page of the server in every state and language, with names such as `result/created`. */
export function renderAllPages(look: Partial<Brand> = {}): Record<string, Record<string, string>> {
  const brand: Brand = { ...ACME, ...look };
  const join = joinPage(brand);
  const joinWithAll = joinPage({ ...brand, picture: PICTURE }, FIELDS);
  const [form, formWithFields, link] = [framePage(brand, []), framePage(brand, [], FIELDS), frameLinkPage(brand)];
  const formWithMoreFields = framePage(brand, [], MORE_FIELDS);
  const branded = framePage({ ...brand, styles: 'body { background: #f1ece0; } .brand { display: flex; }' }, []);
  const [result, confirm, invite, unsubscribe] = [
    resultPages(brand),
    confirmPage(brand, resolveTexts(), { shares: true }),
    invitePage(brand, new URL('https://app.acme.example/join')),
    unsubscribePage(brand),
  ];
  return Object.fromEntries(
    LANGUAGES.map((language) => {
      const pages: Record<string, string> = {};
      for (const outcome of OUTCOMES) {
        const field = outcome.endsWith('-field') ? 'Name of your shop' : undefined;
        const webmail = outcome === 'pending' ? 'https://mail.google.com/mail/' : undefined;
        const notice = outcome === 'full' ? FULL : undefined;
        pages[`result/${outcome}`] = result.html({ outcome, language, backLink: brand.url, field, webmail, notice });
      }
      for (const [name, page] of Object.entries({ confirm, invite })) {
        const html = page.html(language, brand.url);
        for (const [hidden, step] of html.matchAll(/data-step="([\w-]+)" hidden/g)) {
          // Removed because the page's script would look for a token in the URL.
          pages[`${name}/${step}`] = html.replace(hidden, '').replace(/<script>.*<\/script>/s, '');
        }
      }
      pages['confirm/shared'] = fillShare(pages['confirm/confirmed'] ?? '', language, true);
      Object.assign(pages, renderStatusPages(brand, language));
      for (const step of ['ask', 'unsubscribed', 'unknown', 'failed'] as const) {
        pages[`unsubscribe/${step}`] = unsubscribe.html(step, language, brand.url);
      }
      const shown = { language, source: 'join', state: { page: JOIN_PAGE }, url: `${brand.url}join` } as const;
      pages['join/plain'] = join.html(shown);
      pages['join/picture'] = joinWithAll.html({ ...shown, count: 2_430 });
      pages['join/paused'] = join.html({ ...shown, closed: CLOSED });
      pages['join/full'] = joinWithAll.html({ ...shown, closed: FULL });
      const framed = { language, source: 'form', state: { page: FRAME_PAGE } } as const;
      pages['form/plain'] = form.html(framed);
      pages['form/branded'] = branded.html(framed);
      pages['form/more-fields'] = formWithMoreFields.html(framed);
      pages['form/fields'] = formWithFields.html(framed);
      pages['form/full'] = form.html({ ...framed, closed: FULL });
      pages['form/link'] = link.html(language, JOIN_PAGE);
      return [language, pages];
    }),
  );
}

/** The status page in each state, filled in like its script does. */
function renderStatusPages(brand: Brand, language: Language): Record<string, string> {
  const empty = statusPage(brand)
    .html(language, brand.url)
    .replace(/<script>.*<\/script>/s, '');
  const signedUp = dateFormat('UTC', LONG_DAY, language).format(new Date('2026-03-16'));
  const filled = empty
    .replace('"email">', '"email">ada@example.org')
    .replace('"signed_up_at">', `"signed_up_at">${signedUp}`);
  const pages: Record<string, string> = {};
  for (const [hidden, step] of empty.matchAll(/data-step="([\w-]+)" hidden/g)) {
    pages[`status/${step}`] = filled.replace(hidden, '');
  }
  for (const [hidden, state] of empty.matchAll(/data-state="([\w-]+)" hidden/g)) {
    const page = (pages['status/status'] ?? '')
      .replace(hidden, `data-state="${state}"`)
      .replaceAll(`data-unless="${state}"`, 'hidden');
    // As in `shareReader`, only people who are waiting have a place.
    const shares = state !== 'pending' && state !== 'unsubscribed';
    pages[`status/${state}`] = shares ? fillShare(page, language, state === 'subscribed') : page;
  }
  delete pages['status/status'];
  const [ask, asked] = ['data-action="ask"', 'data-ask hidden'];
  pages['status/asked'] = (pages['status/subscribed'] ?? '').replace(ask, `${ask} hidden`).replace(asked, 'data-ask');
  return pages;
}

function fillShare(page: string, language: Language, waits: boolean): string {
  const share = {
    url: `${ACME.url}?utm_source=share&utm_content=3xNq-8aPzk`,
    confirmed: 3,
    ...(waits && { place: 1204 }),
  };
  const { url, hint, friends, place = '', line } = pageShare(share, resolveTexts()[language], language);
  const withTexts = Object.entries({ url, hint, friends, place, 'line.scale': line?.scale ?? '' }).reduce(
    (html, [name, value]) => html.replace(`"share.${name}">`, `"share.${name}">${escapeHtml(value)}`),
    page.replace('data-if="share" hidden', 'data-if="share"'),
  );
  if (line === undefined) return withTexts;
  return withTexts
    .replace('data-if="share.line" hidden', 'data-if="share.line"')
    .replace(/data-set="(\w+) share\.line\.(\w+)"/g, (_, attribute, name) => `${attribute}="${readField(line, name)}"`);
}
