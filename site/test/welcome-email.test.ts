import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mustacheTemplate } from 'early-access-server/mail';
import { describe, expect, it } from 'vitest';

const URL = 'https://printmargin.example/';
const UNSUBSCRIBE = 'mailto:hello@printmargin.example?subject=unsubscribe';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../mails', name), 'utf8');
const welcome = mustacheTemplate({
  subject: read('welcome.subject.txt'),
  text: read('welcome.txt'),
  html: read('welcome.html'),
});
const { subject, text, html } = welcome({
  name: 'PrintMargin',
  url: URL,
  host: 'printmargin.example',
  unsubscribeUrl: UNSUBSCRIBE,
  fields: {},
});

it('is byte for byte the email that PrintMargin sends', () => {
  const digest = (part: string) => createHash('sha256').update(part).digest('hex');
  expect([subject, text, html].map(digest)).toEqual([
    'cbd39acacdced5eb65b29eba68d329e7afef1b5eb578e9769608b6b571fd2a90',
    '25fe537414326848355c969ada27f68328ca97e8ceb9318e67d48c1baf4db000',
    '5fa03e9bd61dec472237433716aaae6fdd35b8b5c35283d8170570943028ca4e',
  ]);
});

describe('the words', () => {
  const visible = html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  it.each([
    ['text', text],
    ['HTML', visible],
  ])('of the %s contain every promise, when we will write again, and how to be removed', (_, part) => {
    const words = part.replace(/\s+/g, ' ');
    expect(words).toMatch(/costs, platform fees, taxes and shipping/);
    expect(words).toMatch(/exact margins/i);
    expect(words).toMatch(/10\+ platforms/);
    expect(words).toMatch(/any currency or region/i);
    expect(words).toMatch(/4-6 hours/);
    expect(words).toMatch(/2-3 minutes/);
    expect(words).toMatch(/write to you once more, when the beta is ready/);
    expect(words).toMatch(/take you off the list/);
  });

  it('confirm the signup in the subject', () => expect(subject).toBe('You’re on the list for PrintMargin'));

  it('stay within 72 columns in plain text', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(72);
  });
});

describe('the HTML', () => {
  it('loads nothing', () => {
    expect(html).not.toMatch(/<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
  });

  it('only links to the site and to the removal address', () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set([URL, UNSUBSCRIBE]));
  });

  it('declares its language and color schemes, and marks its tables as layout', () => {
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const tables = html.match(/<table [^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toContain('role="presentation"');
  });

  it('starts with the preview line', () =>
    expect(html).toMatch(/<body[^>]*>\s*<div style="display:none[^>]*>We’ll write once more/));

  it('is below the size at which mail clients truncate', () => expect(html.length).toBeLessThan(20_000));
});
