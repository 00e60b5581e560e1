import { describe, expect, it } from 'vitest';
import { defaultTemplates } from './default-templates.ts';

const data = {
  name: 'Acme',
  url: 'https://acme.example/beta',
  host: 'acme.example/beta',
  unsubscribeUrl: 'mailto:hello@acme.example?subject=unsubscribe',
};
const { welcome } = defaultTemplates('en');
const { subject, text, html } = welcome(data);

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

  it('names the brand in the subject', () => expect(subject).toBe("You're on the list for Acme"));

  it('wraps at 72 columns in the plain text part', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(72);
  });
});

describe('the HTML', () => {
  it('loads nothing', () => {
    expect(html).not.toMatch(/<(img|link|script|iframe|svg)\b|\bsrc=|url\(|@import/i);
  });

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

  it('declares its language, its colour schemes, and that its tables are not data', () => {
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

  it('uses the colours of the brand', () => {
    const branded = welcome({ ...data, colours: { accent: '#0a7d4f', background: '#eef7f1' } }).html;
    expect(branded).toContain('background:#0a7d4f');
    expect(branded).toContain('background:#eef7f1');
    expect(html).not.toContain('#0a7d4f');
  });

  it('is smaller than the size at which mail programs clip messages', () => expect(html.length).toBeLessThan(20_000));
});
