import type { BrandOfSite } from './brand.ts';
import { isGenericFamily } from './generic-family.ts';
import { derivePalettes } from './palette.ts';

const DEFAULT_RADIUS = 8;

/**
 * The look of a brand, for pages, emails and the dashboard: each derives its styles from these values alone. Runs in
 * browsers, too.
 */
export function brandTokens({
  colors,
  radius = DEFAULT_RADIUS,
  font,
}: Pick<BrandOfSite, 'colors' | 'radius'> & BrandFamilies) {
  return {
    ...derivePalettes(colors),
    /** Corners in px: of buttons and fields, and of the sheet around them, which would look sharper with the same ones. */
    radius: { control: radius, sheet: radius * 1.5 },
    /** Of the brand's font, before the fallbacks of each medium; empty without one. */
    family: font === undefined ? '' : `${font.families.split(',').map(quoted).join(',')},`,
    /** The name that the file has. */
    face: font === undefined ? null : quoted(font.families.split(',')[0] ?? ''),
  };
}

/** CSS that declares the brand's font. Text is shown in another one until it is there. */
export function fontFace(face: string | null, url: string, weights: string): string {
  return `@font-face { font-family: ${face}; src: url("${url}") format("woff2"); font-weight: ${weights}; font-display: swap; }`;
}

interface BrandFamilies {
  readonly font?: { readonly families: string } | undefined;
}

/** Generic families are keywords, which quotes would make names. */
function quoted(name: string): string {
  const trimmed = name.trim();
  return isGenericFamily(trimmed) ? trimmed : `'${trimmed}'`;
}
