import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from '@early-access-kit/testkit/programs';
import { chromium, type Page } from 'playwright';

/**
 * Renders the bitmap images in `public`. After changing the card, mark or print, build the site and run `pnpm --filter
 * site cards`.
 */
const site = path.resolve(import.meta.dirname, '..');
const publicFile = (name: string) => path.join(site, 'public', name);

const print = /<svg class="print-picture".*?<\/svg>/s.exec(
  readFileSync(path.join(site, 'dist/client/index.html'), 'utf8'),
)?.[0];
if (print === undefined) throw new Error('the built page shows no print');
const inline = (type: string, file: string) => `data:${type};base64,${readFileSync(file).toString('base64')}`;
const mark = inline('image/svg+xml', publicFile('favicon.svg'));
const font = inline('font/woff2', path.join(site, 'fonts/archivo-condensed-2.woff2'));

const { executablePath, env } = await findChromium();
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  const card = readFileSync(path.join(import.meta.dirname, 'card.html'), 'utf8');
  const content = { '/favicon.svg': mark, '/display-font': font, '<!--print-->': print };
  await page.setContent(Object.entries(content).reduce((html, [place, text]) => html.replace(place, () => text), card));
  await page.evaluate(() => document.fonts.ready);
  writeFileSync(publicFile('og.png'), await shot(page, 1200, 630));

  await page.setContent(`<body style="margin: 0"><img src="${mark}" style="display: block; width: 100vw">`);
  writeFileSync(publicFile('favicon.ico'), wrapIco(await shot(page, 32, 32), 32));

  // Phones round the corners themselves and do not support transparency.
  await page.setContent(
    `<body style="margin: 0; padding: 18vw; background: #f1ece0"><img src="${mark}" style="display: block; width: 100%">`,
  );
  writeFileSync(publicFile('apple-touch-icon.png'), await shot(page, 180, 180));
} finally {
  await browser.close();
}

async function shot(page: Page, width: number, height: number): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  return page.screenshot({ omitBackground: true });
}

/** Wraps one square PNG in an ICO file: a directory with one entry, then the image. */
function wrapIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
