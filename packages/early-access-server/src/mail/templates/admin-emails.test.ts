import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { adminComposer } from '../compose/admin-composer.ts';
import { messageComposer } from '../compose/message-composer.ts';
import type { MailTemplates } from './template.ts';
import { readTemplates } from './template-files.ts';

const LINK = `https://acme.example/admin#token=${'x'.repeat(43)}`;
const OPTIONS = { from: 'Acme <hello@acme.example>', brand: { name: 'Acme & Co', url: 'https://acme.example/' } };
const FIGURES = [{ label: 'Visitors', value: '1', change: '+12%' }];
const DAYS = [30, 5, 0].map((signups, index) => ({ label: `D${index}`, signups }));

const weekly = (templates?: MailTemplates) =>
  messageComposer({ ...OPTIONS, templates, siteUrl: 'https://acme.example/' })({
    kind: 'notice',
    email: 'a@example.org',
    fields: {},
    language: null,
    messageKey: 'key',
    tokens: { unsubscribe: null, status: null, link: null },
    campaign: null,
    notice: { type: 'weekly', period: '9 – 15 March 2026', figures: FIGURES, dailySignups: DAYS },
  });

describe('the emails for admins', () => {
  it.each([
    ['sign-in', adminComposer(OPTIONS).signIn('a@example.org', LINK, 15), LINK],
    [
      'invitation',
      adminComposer(OPTIONS).signIn('a@example.org', LINK, 15, { invited_by: 'ada@acme.example', role: 'editor' }),
      'ada@acme.example has invited you to the dashboard of Acme',
    ],
    ['weekly', weekly(), '+12%'],
  ])('%s: has the same content as text and as HTML that loads nothing', (_, { text, html, to, headers }, content) => {
    expect(text).toContain(content);
    expect(html).toContain(content);
    expect(html).not.toMatch(/<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
    for (const table of html.match(/<table [^>]*>/g) ?? []) expect(table).toContain('role="presentation"');
    expect([to, headers]).toEqual(['a@example.org', { 'Auto-Submitted': 'auto-generated' }]);
  });

  it('show the signups of each day as dots, in a row that a phone has room for, beside the number', () => {
    const { html, text } = weekly();
    const rows = [...html.matchAll(/>(D\d)<\/td>.*?>(\d+)<\/td>.*?aria-hidden="true"[^>]*>(●*)<\/td>/g)];
    expect(rows.map(([, ...row]) => row)).toEqual([
      ['D0', '30', '●●●●●●'],
      ['D1', '5', '●'],
      ['D2', '0', ''],
    ]);
    expect(html).toContain('One dot per 5 people');
    expect(text).toContain('SIGNUPS PER DAY\n\nD0 30\nD1 5\nD2 0\n');
  });

  it('have a new Message-ID each time', () => {
    const ids = [1, 2].map(() => adminComposer(OPTIONS).test('a@example.org').messageId);
    expect(new Set(ids).size).toBe(2);
  });

  it('can be replaced by files, which may be there or not', async () => {
    const folder = tempFolder();
    const write = (email: string, text: string) =>
      Promise.all([
        writeFile(join(folder, `${email}.subject.txt`), `${email} {{name}}`),
        writeFile(join(folder, `${email}.txt`), text),
        writeFile(join(folder, `${email}.html`), `<p>{{name}} ${text}`),
      ]);
    await write('welcome', '{{url}}');
    expect(Object.keys(readTemplates(folder))).toEqual(['welcome']);
    await write('sign-in', '{{link}} {{minutes}}');
    await write('weekly', '{{period}}{{#figures}} {{label}} {{value}} {{change}}{{/figures}} {{dashboardUrl}}');
    const templates = readTemplates(folder);
    const composer = adminComposer({ ...OPTIONS, templates });
    expect(composer.signIn('a@example.org', LINK, 15)).toMatchObject({
      subject: 'sign-in Acme & Co',
      text: `${LINK} 15`,
      html: expect.stringContaining('<p>Acme &#38; Co'),
    });
    expect(weekly(templates).text).toBe('9 – 15 March 2026 Visitors 1 +12% https://acme.example/admin');
    await write('sign-in', '{{unsubscribeUrl}}');
    expect(() => readTemplates(folder)).toThrow(/sign-in\.txt: there is no \{\{unsubscribeUrl\}\}/);
  });
});
