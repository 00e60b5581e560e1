import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The fonts of all screenshots besides the site's own, the same on every machine: package, family and weights. */
const FACES = [
  ['roboto-condensed', 'Roboto Condensed', [400, 600, 700, 800]],
  ['roboto-mono', 'Roboto Mono', [400, 700]],
] as const;

const faces = FACES.flatMap(([name, family, weights]) =>
  weights.map((weight) =>
    inlineFace(family, String(weight), resolve(`@fontsource/${name}/files/${name}-latin-${weight}-normal.woff2`)),
  ),
);
/** The site's own fonts. */
const own = [
  inlineFace('Archivo Condensed', '700 800', resolve('../../../site/fonts/archivo-condensed-2.woff2')),
  inlineFace('Source Serif', '400 700', resolve('../../../site/fonts/source-serif-2.woff2')),
];

function inlineFace(family: string, weight: string, file: string): string {
  const source = `url(data:font/woff2;base64,${readFileSync(file).toString('base64')})`;
  return `@font-face { font-family: "${family}"; font-weight: ${weight}; src: ${source} }`;
}

/**
 * Applies these fonts, to the site through its tokens and to Storybook through its root. Geometric precision turns off
 * hinting, and a compositor layer turns off subpixel antialiasing, so that every machine renders the same text.
 */
export const FONT_STYLES = `${[...faces, ...own].join('\n')}
:root:root {
  --text: "Source Serif";
  --mono: "Roboto Mono";
  font-family: "Roboto Condensed";
}
:root:root * {
  text-rendering: geometricPrecision;
}
body {
  will-change: transform;
}`;
