import path from 'node:path';
import { LANGUAGES } from 'early-access-kit/messages';
import { readTemplates } from 'early-access-server';
import { messageComposer } from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';

const KINDS = ['confirmation', 'reminder', 'invite'] as const;
const compose = messageComposer({
  from: 'PrintMargin <hello@printmargin.example>',
  brand: { name: 'PrintMargin', url: 'https://printmargin.example/' },
  templates: readTemplates(path.join(import.meta.dirname, '../mails')),
  siteUrl: 'https://printmargin.example/',
  statusPage: true,
  invites: true,
});
const emailIn = (kind: (typeof KINDS)[number], language: string) =>
  compose({
    ...{ kind, language, email: 'ada@example.org', fields: {}, messageKey: 'key', campaign: null, notice: null },
    tokens: { link: 'link-token', unsubscribe: 'leave-token', status: 'status-token' },
  });
const visible = (html: string) => html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' ');

describe.each(KINDS)('the %s email', (kind) => {
  it.each(LANGUAGES)('has all its texts and links and the direction in %s', (language) => {
    const { subject, text, html } = emailIn(kind, language);
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(html).toContain(`<title>${subject.replaceAll("'", '&#39;')}</title>`);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|undefined/);
    for (const token of ['link-token', 'leave-token', 'status-token']) {
      expect(html).toMatch(new RegExp(`href="https://printmargin\\.example/[^"]*${token}"`));
      expect(text).toContain(token);
    }
    // Placeholders are filled: each element has a text.
    for (const [element, inner = ''] of html.matchAll(/<(?:h1|h2|p|a|title)\b[^>]*>(.*?)<\/(?:h1|h2|p|a|title)>/gs)) {
      expect([element, visible(inner).trim()]).toEqual([element, expect.stringMatching(/\S/)]);
    }
    // Japanese and Chinese have no spaces to wrap at.
    const lines = text.split('\n').filter((line) => line.includes(' '));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(72);
    expect(html.length).toBeLessThan(20_000);
  });

  it('has different texts in each language', () => {
    const headings = LANGUAGES.map((language) => /<h1[^>]*>(.*?)<\/h1>/s.exec(emailIn(kind, language).html)?.[1]);
    expect(new Set(headings).size).toBe(LANGUAGES.length);
  });

  it('has the strip, the marks and the dark palette of the site', () => {
    const { html } = emailIn(kind, 'en');
    expect(html.match(/<td height="8"/g)).toHaveLength(8);
    expect(html.match(/&#8853;/g)).toHaveLength(4);
    expect(html).toMatch(/prefers-color-scheme:dark\)\{\n\.paper\{background:#15110f/);
    expect(html).not.toMatch(/border-radius|<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
  });
});
