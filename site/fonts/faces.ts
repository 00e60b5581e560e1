import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);
const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));

/** The characters of the site's English; of Western Europe; of Central Europe. */
const LETTERS = {
  '': { text: `${range(0x20, 0x7e)}\u00a0©·–—‘’“”…€`, of: 'latin' },
  '-latin-1': { text: range(0xa1, 0xff), of: 'latin' },
  '-latin-extended-a': { text: range(0x100, 0x17f), of: 'latin-ext' },
} as const;

const FACES = {
  /** Three quarters of the normal width, in bold and extra bold. */
  'archivo-condensed': {
    files: '@fontsource-variable/archivo/files/archivo-{}-wdth-normal.woff2',
    axes: { wdth: 75, wght: { min: 700, max: 800 } },
  },
  'source-serif': {
    files: '@fontsource-variable/source-serif-4/files/source-serif-4-{}-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
  },
} as const;

/** Increment when a file's content changes: browsers cache fonts for a year. */
const VERSION = 2;

export const LICENSES = {
  'archivo-license.txt': resolve('@fontsource-variable/archivo/LICENSE'),
  'source-serif-license.txt': resolve('@fontsource-variable/source-serif-4/LICENSE'),
};

/**
 * Returns the fonts as WOFF2, keyed by their path on the site. Only the server's own pages need other languages, so the
 * site's styles do not include those characters.
 */
export async function subsetFonts(): Promise<ReadonlyMap<string, Buffer>> {
  const fonts = new Map<string, Buffer>();
  for (const [face, { files, axes }] of Object.entries(FACES)) {
    for (const [suffix, { text, of }] of Object.entries(LETTERS)) {
      const source = readFileSync(resolve(files.replace('{}', of)));
      const font = await subsetFont(source, text, { targetFormat: 'woff2', variationAxes: axes });
      fonts.set(`${suffix === '' ? 'fonts' : 'public/assets'}/${face}${suffix}-${VERSION}.woff2`, font);
    }
  }
  return fonts;
}
