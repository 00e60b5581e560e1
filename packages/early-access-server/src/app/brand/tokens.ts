import type { BrandOfSite } from './brand.ts';
import { isGenericFamily } from './generic-family.ts';
import { derivePalettes } from './palette.ts';

const DEFAULT_RADIUS = 8;

/** A brand's design tokens, from which pages, emails and the dashboard derive their styles. Also runs in browsers. */
export function brandTokens({
  colors,
  radius = DEFAULT_RADIUS,
  font,
}: Pick<BrandOfSite, 'colors' | 'radius'> & BrandFamilies) {
  return {
    ...derivePalettes(colors),
    /** In px, for buttons and fields, and for the sheet around them, which would look sharper with the same radius. */
    radius: { control: radius, sheet: radius * 1.5 },
    /** The brand's font, to be followed by fallbacks; empty if there is none. */
    family: font === undefined ? '' : `${font.families.split(',').map(quoted).join(',')},`,
    /** The family name that `@font-face` declares. */
    face: font === undefined ? null : quoted(font.families.split(',')[0] ?? ''),
  };
}

/** CSS that declares the brand's font. Text is shown in a fallback font until it has loaded. */
export function fontFace(face: string | null, url: string, weights: string): string {
  return `@font-face { font-family: ${face}; src: url("${url}") format("woff2"); font-weight: ${weights}; font-display: swap; }`;
}

interface BrandFamilies {
  readonly font?: { readonly families: string } | undefined;
}

/** Generic families must not be quoted; quotes would make them ordinary names. */
function quoted(name: string): string {
  const trimmed = name.trim();
  return isGenericFamily(trimmed) ? trimmed : `'${trimmed}'`;
}
