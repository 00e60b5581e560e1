import { ConfigError } from '../config-error.ts';
import { parseWholeNumber } from '../text/whole-number.ts';
import { type BrandFont, findFontProblem, findMarkProblem } from './brand-files.ts';

/** The product that people sign up for, as shown in emails and on result pages. */
export interface Brand {
  /** The product's name, one line of at most 80 characters: `Acme`. */
  readonly name: string;
  /** The http or https URL that emails and result pages link to: `https://www.example.com`. */
  readonly url: string;
  readonly colors?: BrandColors | undefined;
  /**
   * An https URL of a PNG, JPEG or GIF, shown 40 px high at the top of emails instead of the name. Mail programs do not
   * show SVG.
   */
  readonly logo?: string | undefined;
  /**
   * A `data:` URL of an SVG or PNG of at most 64 kB: a symbol shown before the name on pages, in the dashboard and (if
   * it is a PNG) in emails.
   */
  readonly mark?: string | undefined;
  /** The typeface of pages and emails, which the server serves itself. */
  readonly font?: BrandFont | undefined;
  /** Corner radius of buttons and fields, 0 to 32 px. Sheets use 1.5 times this radius. Default: 8. */
  readonly radius?: number | undefined;
  /** An https URL of a photo for `/join` and its link previews, at least 1,200 px wide. */
  readonly picture?: string | undefined;
  /**
   * CSS added to the pages that the server renders: `/confirm`, `/unsubscribe`, `/join`, `/form` and the result pages
   * of forms without scripts. It may load fonts and images from the server's own origin.
   */
  readonly styles?: string | undefined;
}

/** Colors as `#rrggbb`. Dark variants and text colors are derived from them with sufficient contrast. */
export interface BrandColors {
  /** Buttons and links. */
  readonly accent?: string | undefined;
  /** The page behind the content. */
  readonly background?: string | undefined;
}

/** Values from settings; an empty one counts as not set. */
type BrandSettings = Readonly<
  Partial<
    Record<`BRAND_${'NAME' | 'URL' | 'COLOR' | 'BACKGROUND' | 'LOGO' | 'PICTURE' | 'RADIUS'}`, string | undefined>
  >
>;
export type BrandFiles = Pick<Brand, 'styles' | 'mark' | 'font'>;

/** A brand whose URL defaults to the site's own, which may only be known once the server listens. */
export type BrandOfSite = Omit<Brand, 'url'> & { readonly url?: string | null | undefined };

export const DEFAULT_BRAND: BrandOfSite = { name: 'Early access', url: null };

/**
 * Reads the brand from settings. Without a name, it is named after the host of `publicUrl`, the site's public URL. The
 * URL is null if neither `BRAND_URL` nor `publicUrl` is set.
 */
export function readBrand(settings: BrandSettings, publicUrl: URL, files?: BrandFiles): Brand;
export function readBrand(settings: BrandSettings, publicUrl: URL | null, files?: BrandFiles): BrandOfSite;
export function readBrand(settings: BrandSettings, publicUrl: URL | null, files?: BrandFiles): BrandOfSite {
  const { BRAND_NAME, BRAND_URL, BRAND_COLOR, BRAND_BACKGROUND, BRAND_LOGO, BRAND_PICTURE, BRAND_RADIUS } = settings;
  const isLocal = publicUrl === null || ['localhost', '127.0.0.1', '[::1]'].includes(publicUrl.hostname);
  const url = BRAND_URL || publicUrl?.href;
  const brand = checkBrand({
    name: BRAND_NAME || (isLocal ? DEFAULT_BRAND.name : publicUrl.host),
    url: url ?? 'http://localhost',
    colors: { accent: BRAND_COLOR || undefined, background: BRAND_BACKGROUND || undefined },
    logo: BRAND_LOGO || undefined,
    picture: BRAND_PICTURE || undefined,
    ...(BRAND_RADIUS?.trim() && { radius: parseWholeNumber(BRAND_RADIUS.trim()) ?? Number.NaN }),
    ...files,
  });
  return { ...brand, url: url === undefined ? null : brand.url };
}

/** Returns the brand with normalized URLs. Throws a `ConfigError` that names the invalid part. */
export function checkBrand({ name, url, colors, logo, mark, font, radius, picture, styles }: Brand): Brand {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the subject of an email
  if (name.trim() === '' || name.length > 80 || /[\u0000-\u001f\u2028\u2029]/.test(name)) {
    throw new ConfigError('brand.name (BRAND_NAME) must be one line of 1 to 80 characters');
  }
  for (const [part, color] of Object.entries(colors ?? {})) {
    if (color === undefined || /^#[\da-f]{6}$/i.test(color)) continue;
    const setting = part === 'accent' ? 'BRAND_COLOR' : 'BRAND_BACKGROUND';
    throw unusable(`colors.${part}`, setting, 'a color such as #1d4f91', color);
  }
  if (styles !== undefined && /<\/style/i.test(styles)) {
    throw new ConfigError('brand.styles (BRAND_STYLES) must not contain "</style"');
  }
  if (radius !== undefined && !(Number.isInteger(radius) && radius >= 0 && radius <= 32)) {
    throw new ConfigError(
      'brand.radius (BRAND_RADIUS) must be a whole number from 0 to 32: pixels, 0 for square corners',
    );
  }
  const markProblem = mark === undefined ? null : findMarkProblem(mark);
  if (markProblem !== null) throw new ConfigError(`brand.mark (BRAND_MARK) ${markProblem}`);
  const fontProblem = font === undefined ? null : findFontProblem(font);
  if (fontProblem !== null) throw new ConfigError(`brand.font (BRAND_FONT) ${fontProblem}`);
  return {
    name,
    url: checkUrl('url', 'BRAND_URL', url, ['https:', 'http:']),
    colors,
    logo: logo === undefined ? undefined : checkUrl('logo', 'BRAND_LOGO', logo, ['https:']),
    ...(mark !== undefined && { mark }),
    ...(font !== undefined && { font }),
    ...(radius !== undefined && { radius }),
    ...(picture !== undefined && { picture: checkUrl('picture', 'BRAND_PICTURE', picture, ['https:']) }),
    ...(styles !== undefined && { styles }),
  };
}

function checkUrl(part: string, setting: string, value: string, protocols: readonly string[]): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && protocols.includes(url.protocol)) return url.href;
  throw unusable(part, setting, `an address such as ${protocols[0]}//www.example.com`, value);
}

/** Quotes the value as JSON, so that the message stays on one line. */
function unusable(part: string, setting: string, rule: string, value: string): ConfigError {
  return new ConfigError(`brand.${part} (${setting}) must be ${rule}, not ${JSON.stringify(value)}`);
}
