import { describe, expect, it } from 'vitest';
import { composeWelcomeEmail } from './compose.ts';
import { exampleEmail } from './fixtures/example.ts';

const options = {
  to: 'ada@example.org',
  from: 'PrintMargin <hello@printmargin.example>',
  messageId: '<key@printmargin.example>',
  siteUrl: 'https://printmargin.example/',
  unsubscribe: 'mailto:hello@printmargin.example?subject=unsubscribe',
};

describe('the words', () => {
  const { text, html, subject } = exampleEmail();
  const visible = html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  it.each([
    ['text', text],
    ['HTML', visible],
  ])('of the %s hold every promise, when we write again, and how to be removed', (_, part) => {
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

  it('say so in the subject', () => expect(subject).toBe("You're on the list for PrintMargin"));

  it('keep within 72 columns in plain text', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(72);
  });
});

describe('the HTML', () => {
  const { html } = exampleEmail();

  it('loads nothing from anywhere', () => {
    expect(html).not.toMatch(/<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
  });

  it('leads to the site and to the removal only', () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set([options.siteUrl, options.unsubscribe]));
  });

  it('tells its language, its colour schemes, and that its tables are no data', () => {
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const tables = html.match(/<table [^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toContain('role="presentation"');
  });

  it('opens with the preview line', () =>
    expect(html).toMatch(/<body[^>]*>\s*<div style="display:none[^>]*>We’ll write once more/));

  it('stays below the size at which mail programs cut', () => expect(html.length).toBeLessThan(20_000));
});

describe('headers and links', () => {
  it('let mail programs offer the removal, and keep robots from answering', () => {
    expect(composeWelcomeEmail(options).headers).toEqual({
      'List-Unsubscribe': '<mailto:hello@printmargin.example?subject=unsubscribe>',
      'Auto-Submitted': 'auto-generated',
    });
  });

  it('cannot be broken out of by an URL', () => {
    const nasty = 'mailto:a@b.example?subject=x>,\r\nBcc: v@x.io"<script>&';
    const { headers, html } = composeWelcomeEmail({
      ...options,
      unsubscribe: nasty,
      siteUrl: 'https://printmargin.example/"><script>alert(1)</script>',
    });
    expect(headers['List-Unsubscribe']).toMatch(/^<mailto:[^<>\s"]+>$/);
    expect(html).not.toContain('<script');
  });

  it.each([
    { siteUrl: 'javascript:alert(1)' },
    { siteUrl: 'printmargin.example' },
    { unsubscribe: 'javascript:alert(1)' },
    { unsubscribe: 'ask us' },
    { messageId: 'key@printmargin.example' },
    { messageId: '<key@printmargin.example>\r\nBcc: v@x.io' },
  ])('refuse %j', (bad) => expect(() => composeWelcomeEmail({ ...options, ...bad })).toThrow(TypeError));
});
