import { createHash } from 'node:crypto';
import { DEFAULT_BASE } from 'early-access-kit/internal';
import { isGenericFamily } from './generic-family.ts';

/** The typeface of pages and emails. */
export interface BrandFont {
  /**
   * The file's font family, followed by fallbacks for mail programs without web fonts: `Acme Serif, Georgia, serif`.
   */
  readonly families: string;
  /** A `data:` URL of a WOFF2 file of at most 512 kB. */
  readonly file: string;
}

export interface BrandFile {
  readonly type: 'image/svg+xml' | 'image/png' | 'font/woff2';
  readonly bytes: Buffer;
  /** Contains a hash of the file, so that browsers can cache it indefinitely. */
  readonly path: string;
}

/** `weights` as in CSS: a variable font has a range, any other `normal`. */
interface FontFile extends BrandFile {
  readonly weights: '100 900' | 'normal';
}

export const MARK_PATH = `${DEFAULT_BASE}/brand/mark`;
export const FONT_PATH = `${DEFAULT_BASE}/brand/font`;

const MAX_MARK_BYTES = 64 * 1024;
const MAX_FONT_BYTES = 512 * 1024;
const MAX_PNG_SIDE = 2_048;
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const DATA_URL = /^data:[\w/+.-]+(?:;[\w=-]+)*?(;base64)?,(.*)$/is;

/** Elements that only draw. All others, such as scripts, HTML and animations, are rejected. */
const SVG_ELEMENTS =
  /^(?:svg|g|defs|symbol|use|title|desc|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|style|linearGradient|radialGradient|stop|clipPath|mask|pattern|filter|fe\w+)$/;
/**
 * Event handlers, and references that would load or link to something outside the file. References inside the file
 * start with `#`.
 */
const SVG_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, 'a DOCTYPE'],
  [/<\?xml-stylesheet/i, 'a style sheet'],
  [/[\s"'/]on\w+\s*=/i, 'a script'],
  [/\bhref\s*=\s*["']?\s*(?!["'\s]*#)/i, 'a link'],
  [/url\(\s*["']?\s*(?!["'\s]*#)|@import/i, 'something that loads a file'],
];

/** The bytes of a data URL, or null for anything else. */
export function parseDataUrl(value: string): Buffer | null {
  const [, base64, data] = DATA_URL.exec(value) ?? [];
  if (data === undefined) return null;
  try {
    return base64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data));
  } catch {
    return null;
  }
}

export const toMarkUrl = (bytes: Buffer) =>
  `data:${isPng(bytes) ? 'image/png' : 'image/svg+xml'};base64,${bytes.toString('base64')}`;
export const toFontUrl = (bytes: Buffer) => `data:font/woff2;base64,${bytes.toString('base64')}`;

/** Returns why the mark is invalid and how to fix it, or null if it is valid. */
export function findMarkProblem(mark: string): string | null {
  const bytes = parseDataUrl(mark);
  if (bytes === null) return 'must be an SVG or PNG file, or a data: URL of one';
  if (bytes.length > MAX_MARK_BYTES) return tooLarge(bytes, MAX_MARK_BYTES, 'simplify the drawing, or scale it down');
  if (isPng(bytes)) {
    const [width, height] = bytes.length < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    if (width > 0 && height > 0 && width <= MAX_PNG_SIDE && height <= MAX_PNG_SIDE) return null;
    return `must be a PNG of at most ${MAX_PNG_SIDE} x ${MAX_PNG_SIDE} pixels, not ${width} x ${height}`;
  }
  // Both in one pass, because comment delimiters are plain text inside CDATA.
  const text = bytes.toString('utf8').replace(/<!--.*?-->|<!\[CDATA\[(.*?)\]\]>/gs, '$1');
  if (!/<svg\s[^>]*\bxmlns=/.test(text)) {
    return 'must be a PNG, or an SVG whose <svg> has xmlns="http://www.w3.org/2000/svg"; convert other pictures to one of them';
  }
  const foreign = [...text.matchAll(/<\/?([a-z][\w:.-]*)/gi)].find(([, name = '']) => !SVG_ELEMENTS.test(name));
  const problem = foreign ? `<${foreign[1]}>` : SVG_PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined
    ? null
    : `must be a plain drawing, but has ${problem}; export it as plain SVG, or as PNG`;
}

/** Returns why the font is invalid and how to fix it, or null if it is valid. */
export function findFontProblem({ families, file }: BrandFont): string | null {
  const names = families.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[\p{L}\d][\p{L}\d -]{0,63}$/u.test(name))) {
    return 'must name families of letters, digits and spaces, such as Acme Sans, Georgia, serif';
  }
  if (isGenericFamily(names[0] ?? '')) {
    return `must name the font file’s family first, such as Acme Sans, ${names[0]}`;
  }
  const bytes = parseDataUrl(file);
  if (bytes?.subarray(0, 4).toString('latin1') !== 'wOF2') {
    return 'must be a WOFF2 file; convert TTF, OTF or WOFF to it, such as with "fonttools ttLib.woff2 compress"';
  }
  if (bytes.length <= MAX_FONT_BYTES) return null;
  return tooLarge(
    bytes,
    MAX_FONT_BYTES,
    'leave out characters that your languages do not use, such as with pyftsubset',
  );
}

const tooLarge = (bytes: Buffer, limit: number, fix: string) =>
  `must have at most ${limit / 1024} kB, not ${Math.ceil(bytes.length / 1024)}; ${fix}`;

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
}

/** Returns undefined if there is no mark. The mark must have been validated. */
export function markFile({ mark }: { readonly mark?: string | undefined }): BrandFile | undefined {
  const bytes = mark === undefined ? null : parseDataUrl(mark);
  return bytes === null ? undefined : served(isPng(bytes) ? 'image/png' : 'image/svg+xml', bytes, MARK_PATH);
}

/** Returns undefined if there is no font. The font must have been validated. */
export function fontFile({ font }: { readonly font?: BrandFont | undefined }): FontFile | undefined {
  const bytes = font === undefined ? null : parseDataUrl(font.file);
  if (bytes === null) return undefined;
  return { ...served('font/woff2', bytes, FONT_PATH), weights: isVariable(bytes) ? '100 900' : 'normal' };
}

/**
 * Returns whether the table directory of a WOFF2 file (section 5.1 of the specification) contains `fvar`, the table of
 * variable fonts.
 */
function isVariable(bytes: Buffer): boolean {
  let at = 48;
  const skipNumber = () => {
    while ((bytes[at++] ?? 0) & 0x80);
  };
  for (let tables = bytes.length < 14 ? 0 : bytes.readUInt16BE(12); tables > 0 && at < bytes.length; tables--) {
    const flags = bytes[at++] ?? 0;
    const [known, version] = [flags & 0x3f, flags >> 6];
    const tag = known === 0x3f ? bytes.toString('latin1', at, at + 4) : known;
    if (tag === 47 || tag === 'fvar') return true;
    if (known === 0x3f) at += 4;
    skipNumber();
    // A transformed table has a second length. `glyf` and `loca` are transformed unless their version is 3, other
    // tables only if it is not 0.
    const isTransformed = tag === 10 || tag === 11 ? version !== 3 : version !== 0;
    if (isTransformed) skipNumber();
  }
  return false;
}

function served(type: BrandFile['type'], bytes: Buffer, path: string): BrandFile {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return { type, bytes, path: `${path}?v=${version}` };
}
