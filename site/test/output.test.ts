import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inlineViolations, styleTexts } from '../build/html.ts';
import { LICENSES, subsetFonts } from '../fonts/faces.ts';
import { builtBytes, builtFiles, builtPolicy, builtText, PUBLIC_URL } from './built-site.ts';

/** A server sends ten packets in the first round trip. */
const FIRST_FLIGHT_BYTES = 14 * 1024;
const PAGES = ['index.html', '404.html'];
const html = builtText('index.html');

describe.each(PAGES)('%s', (page) => {
  const text = builtText(page);

  it('works under a strict Content-Security-Policy', () => {
    expect(inlineViolations(text, builtPolicy().scriptHashes)).toEqual([]);
  });

  it('inlines all styles, and the policy lists their hashes', () => {
    const styles = styleTexts(text);
    expect(styles).toHaveLength(1);
    expect(text).not.toMatch(/rel="stylesheet"/);
    for (const style of styles) {
      const hash = createHash('sha256').update(style).digest('base64');
      expect(builtPolicy().styleHashes).toContain(`sha256-${hash}`);
    }
  });

  it('fits into the first 14 KB, with gzip and with Brotli', () => {
    expect(builtBytes(`${page}.br`).length).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES);
    expect(builtBytes(`${page}.gz`).length).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES);
  });

  it('only references existing files, with one script that loads the page’s module', () => {
    const references = [...text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="(\/[^"]+)"/g)].map(
      ([, url]) => url,
    );
    for (const reference of references) expect(builtFiles()).toContain(reference?.slice(1));
    expect(text.match(/<script\b/g)).toHaveLength(1);
    expect(text).toMatch(/<script data-src="\/assets\/[\w.-]+\.js">/);
  });

  it('loads nothing from other origins', () => {
    const elsewhere = [...text.matchAll(/<(?:script|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?\/\//g)];
    expect(elsewhere).toEqual([]);
    expect(text).not.toMatch(/@import|url\((?!\/assets\/)/);
  });

  it('preloads the font of its headlines', () => {
    const [, font] = /<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin>/.exec(text) ?? [];
    expect(text).toContain(`src:url(${font})`);
  });
});

describe('the built site', () => {
  it('has a compressed copy of every file that compresses well', () => {
    const texts = builtFiles().filter((file) => /\.(html|js|svg|txt)$/.test(file));
    expect(texts.length).toBeGreaterThan(3);
    for (const file of texts) {
      expect(brotliDecompressSync(builtBytes(`${file}.br`))).toEqual(builtBytes(file));
      expect(gunzipSync(builtBytes(`${file}.gz`))).toEqual(builtBytes(file));
    }
  });

  it('contains no email address, not even the admin’s', () => {
    const addresses = builtFiles('**/*.{html,js,svg,txt}').flatMap(
      (file) => builtText(file).match(/[\w.+-]+@[\w-]+\.\w+/g) ?? [],
    );
    expect([...new Set(addresses)]).toEqual(['you@example.com']);
  });

  it('keeps the admin panel in a separate file that no page preloads', () => {
    const panel = builtFiles('assets/*.js').filter((file) => builtText(file).includes('Analytics Overview'));
    expect(panel).toHaveLength(1);
    for (const page of PAGES) expect(builtText(page)).not.toContain(panel[0]);
  });

  it('has metadata for search engines and link previews', () => {
    expect(html).toMatch(/<title>[^<]*PrintMargin[^<]*<\/title>/);
    expect(html).toMatch(/<meta name="description" content="[^"]{50,200}">/);
    for (const property of ['title', 'description', 'image', 'type'])
      expect(html).toContain(`property="og:${property}"`);
    expect(html).toContain(`property="og:image" content="${PUBLIC_URL}/og.png"`);
    expect(html.includes('rel="canonical"')).toBe(PUBLIC_URL !== '');
  });

  it('has small fonts, as the subsetter generates them, with their licenses', async () => {
    for (const [file, font] of await subsetFonts()) {
      expect(builtBytes(`assets/${path.basename(file)}`)).toEqual(font);
      expect(font.length).toBeLessThanOrEqual(24_000);
    }
    for (const [name, license] of Object.entries(LICENSES)) expect(builtText(name)).toBe(readFileSync(license, 'utf8'));
  });

  it('has the font and the colors that the server’s own pages use', () => {
    const styles = readFileSync(path.resolve(import.meta.dirname, '../pages.css'), 'utf8');
    const tokens = readFileSync(path.resolve(import.meta.dirname, '../src/styles/tokens.css'), 'utf8');
    const fonts = [...styles.matchAll(/url\("\/(.+?)"\)/g)].map(([, url]) => url);
    const colors = [...styles.matchAll(/--\w+: light-dark\(.+\);/g)].map(([color]) => color);
    expect(builtFiles()).toEqual(expect.arrayContaining(fonts));
    expect([fonts.length, colors.length]).toEqual([6, 5]);
    for (const color of colors) expect(tokens).toContain(color);
  });

  it('has a card image of the declared size', () => {
    const png = builtBytes('og.png');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});
