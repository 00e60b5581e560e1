import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../app/brand/language.ts';
import type { MailContent } from '../../app/ports/mail-transport.ts';
import { noticeMail } from './admin-emails.ts';
import { campaignTemplate, defaultTemplates, TEXTS } from './default-templates.ts';
import { countText } from './texts/count-text.ts';
import type { Texts } from './texts/en.ts';

const data = {
  name: 'Acme',
  url: 'https://acme.example/beta',
  host: 'acme.example/beta',
  unsubscribeUrl: 'mailto:hello@acme.example?subject=unsubscribe',
  fields: {},
};
const { welcome } = defaultTemplates('en');
const { text, html } = welcome(data);

describe('the text', () => {
  const visible = html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  it.each([
    ['text', text],
    ['HTML', visible],
  ])('of the %s part names the brand, says what happens next and how to unsubscribe', (_, part) => {
    const words = part.replace(/\s+/g, ' ');
    expect(words).toMatch(/on the list for Acme is saved/);
    expect(words).toMatch(/There is nothing else to do/);
    expect(words).toMatch(/email you when it’s your turn/);
    expect(words).toMatch(/Ask us to delete your address/);
    expect(words).toMatch(/acme\.example\/beta/);
  });

  it('wraps at 72 columns in the plain text part', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(72);
  });
});

describe('the HTML', () => {
  it('loads only the logo, with the name as its alternative text', () => {
    const logo = 'https://acme.example/logo.png?a=1&b=2';
    const branded = welcome({ ...data, logo }).html;
    expect(branded.match(/<img [^>]*>/g)).toEqual([expect.stringContaining('alt="Acme"')]);
    expect(branded.match(/src="[^"]*"/g)).toEqual(['src="https://acme.example/logo.png?a=1&#38;b=2"']);
    expect(branded).not.toMatch(/<(link|script|iframe|svg)\b|url\(|@import/i);
  });

  it('links only to the site and to unsubscribing', () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set([data.url, data.unsubscribeUrl]));
  });

  it('declares its language, its color schemes, and that its tables are not data', () => {
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toContain('[data-ogsc] .sheet');
    const tables = html.match(/<table [^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toContain('role="presentation"');
  });

  it('starts with the preview text', () =>
    expect(html).toMatch(/<body[^>]*>\s*<div style="display:none[^>]*>We’ll email you/));

  it('uses the colors of the brand', () => {
    const branded = welcome({ ...data, colors: { accent: '#0a7d4f', background: '#eef7f1' } }).html;
    expect(branded).toContain('background:#0a7d4f');
    expect(branded).toContain('background:#eef7f1');
    expect(html).not.toContain('#0a7d4f');
  });
});

/** Every text, by its path, with marks in the place of values. */
function listWords(texts: Texts): Record<string, string> {
  const values = {
    ...data,
    name: '‹name›',
    host: '‹host›',
    endpoint: '‹endpoint›',
    since: '‹since›',
    reason: '‹reason›',
    emails: '‹emails›',
    complaints: '‹complaints›',
    rate: '‹rate›',
    limit: '‹limit›',
  };
  const { footer, signupsNotice, webhookNotice, complaintsNotice, passkeyNotice, ...toPeople } = texts;
  const emails = Object.values(toPeople).map((write) => write({ ...values, link: LINK, days: 77 }));
  const notices = [webhookNotice(values), complaintsNotice(values), passkeyNotice(values)];
  const all = [...emails, signupsNotice({ ...values, count: 55 }), ...notices];
  const words: [string, string][] = all.flatMap(({ closing, ...email }, index) =>
    Object.entries({ ...email, closingHeading: closing.heading, closingText: closing.text }).map(
      ([name, text]): [string, string] => [`${index} ${name}`, text],
    ),
  );
  return Object.fromEntries([...words, ...Object.entries(footer)]);
}

const listValues = (text: string) =>
  text
    .match(/‹\w+›|\d+/g)
    ?.filter((value) => value !== '1')
    .sort() ?? [];

const LINK = `https://acme.example/confirm#token=${'x'.repeat(43)}`;
const PAGE = `https://acme.example/unsubscribe?token=${'x'.repeat(43)}`;
const STATUS = `https://acme.example/status#token=${'x'.repeat(43)}`;
const MARKDOWN = '# We are open\n\nCome [in](https://acme.example/open).';

describe.each(LANGUAGES)('the default emails in %s', (language) => {
  const templates = defaultTemplates(language);
  const person = { ...data, unsubscribeUrl: PAGE };
  const toAdmin = { ...data, dashboardUrl: 'https://acme.example/admin' };
  const since = Date.UTC(2026, 2, 16, 9);
  const emails: Readonly<Record<string, readonly [MailContent, target: string]>> = {
    welcome: [templates.welcome(person), data.url],
    confirmation: [templates.confirmation({ ...person, link: LINK, days: 7 }), LINK],
    reminder: [templates.reminder({ ...person, link: LINK, days: 7 }), LINK],
    invite: [templates.invite({ ...person, link: LINK, days: 14 }), LINK],
    status: [templates.status({ ...person, statusUrl: STATUS }), STATUS],
    campaign: [campaignTemplate(language, person, { subject: 'Acme is open', body: MARKDOWN })(person, language), PAGE],
    signups: [noticeMail(language, toAdmin, { type: 'signups', signups: 3, since }), toAdmin.dashboardUrl],
    'one signup': [noticeMail(language, toAdmin, { type: 'signups', signups: 1, since }), toAdmin.dashboardUrl],
    complaints: [
      noticeMail(language, toAdmin, { type: 'campaigns-paused', since, emails: 1_400, complaints: 7 }),
      toAdmin.dashboardUrl,
    ],
    passkey: [noticeMail(language, toAdmin, { type: 'passkey-added', since }), toAdmin.dashboardUrl],
    webhook: [
      noticeMail(language, toAdmin, { type: 'webhook-disabled', endpoint: 'hooks.example', reason: '503' }),
      toAdmin.dashboardUrl,
    ],
  };

  it.each(Object.entries(emails))(
    '%s: is complete, in its language and direction, and loads nothing',
    (_, [email, target]) => {
      const { subject, text, html } = email;
      expect(subject).toContain('Acme');
      expect(`${subject} ${text} ${html}`).not.toMatch(/undefined|\bnull\b|NaN|\[object|\$\{/);
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(html).toContain(`href="${target}"`);
      expect(html).not.toMatch(/<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
      expect(html.length).toBeLessThan(20_000);
      expect(text.split('\n\n').length).toBeGreaterThan(3);
      if (language === 'ar') expect(html).not.toContain('letter-spacing');
    },
  );

  it('says in each how to unsubscribe, if it is to a person', () => {
    for (const name of ['welcome', 'confirmation', 'reminder', 'invite', 'status', 'campaign']) {
      expect(emails[name]?.[0].html).toContain(`href="${PAGE}"`);
      expect(emails[name]?.[0].text).toContain(`\n${PAGE}`);
    }
  });

  it('translates every text, with the same values in it', () => {
    const english = listWords(TEXTS.en);
    for (const [name, text] of Object.entries(listWords(TEXTS[language]))) {
      expect(text).toMatch(/^\S(.*\S)?$/);
      if (language !== 'en') expect([name, text]).not.toEqual([name, english[name]]);
      expect([name, listValues(text)]).toEqual([name, listValues(english[name] ?? '')]);
    }
    expect(Object.keys(listWords(TEXTS[language]))).toEqual(Object.keys(english));
  });
});

describe('names and reasons from outside', () => {
  const hostile = '</td><img src=x onerror="alert(1)">';

  it.each(LANGUAGES)('are text in %s', (language) => {
    const brand = { ...data, name: hostile, host: hostile };
    const templates = defaultTemplates(language);
    const notice = { type: 'webhook-disabled', endpoint: hostile, reason: hostile } as const;
    const emails = [
      templates.welcome(brand),
      templates.confirmation({ ...brand, link: LINK, days: 7 }),
      templates.invite({ ...brand, link: LINK, days: 7 }),
      templates.status({ ...brand, statusUrl: STATUS }),
      campaignTemplate(language, brand, { subject: hostile, body: hostile })(brand, language),
      noticeMail(language, { ...brand, dashboardUrl: data.url }, notice),
    ];
    for (const { html: part } of emails) expect(part).not.toMatch(/<img|onerror="/);
  });
});

it.each([
  ['pl', 1, '1 nowy zapis'],
  ['pl', 3, '3 nowe zapisy'],
  ['pl', 5, '5 nowych zapisów'],
  ['pl', 12, '12 nowych zapisów'],
  ['pl', 22, '22 nowe zapisy'],
  ['fr', 1, '1 nouvelle inscription'],
  ['fr', 2, '2 nouvelles inscriptions'],
  ['de', 1, '1 neue Anmeldung'],
  ['ja', 1, '新規登録1件'],
  ['en', 1234, '1,234 new signups'],
] as const)('in %s, %i new signups are "%s"', (language, count, heading) => {
  expect(TEXTS[language].signupsNotice({ name: 'Acme', count, since: '' }).heading).toBe(heading);
});

it('uses the other form of a plural rule that has none', () => {
  expect(countText('pl', 5, { one: '# dzień', other: '# dni' })).toBe('5 dni');
});
