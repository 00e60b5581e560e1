import type { BrandColors } from './brand.ts';

/** Colors as `#rrggbb`. The contrast of every text with its background is at least 4.5 (WCAG 1.4.3). */
export interface Palette {
  readonly paper: string;
  /** Background of the content, on top of the paper. */
  readonly sheet: string;
  readonly line: string;
  /** Text on the sheet. */
  readonly ink: string;
  readonly muted: string;
  /** Text on the paper. */
  readonly inkOnPaper: string;
  readonly mutedOnPaper: string;
  /** Fill of buttons, and text on it. */
  readonly accent: string;
  readonly onAccent: string;
  /** The accent as text on the sheet. */
  readonly link: string;
}

const BLACK = '#000000';
const WHITE = '#ffffff';
const TEXT_CONTRAST = 4.5;
const DEFAULT_COLORS = { accent: '#1d4f91', background: '#f3f4f6' };

interface Palettes {
  readonly light: Palette;
  readonly dark: Palette;
}

/** Deriving them takes some 80 µs, which would be spent on every email of a launch. */
const derived = new WeakMap<BrandColors, Palettes>();
const NO_COLORS: BrandColors = {};

/** The colors of light and dark pages, derived from the brand's. */
export function derivePalettes(colors: BrandColors = NO_COLORS): Palettes {
  const known = derived.get(colors);
  if (known !== undefined) return known;
  const palettes = derive(colors);
  derived.set(colors, palettes);
  return palettes;
}

function derive(colors: BrandColors): Palettes {
  const { accent = DEFAULT_COLORS.accent, background = DEFAULT_COLORS.background } = colors;
  const dark = { paper: mix(background, BLACK, 0.92), sheet: mix(background, BLACK, 0.87) };
  return {
    light: palette({ paper: background, sheet: mix(background, WHITE, 0.85), ink: '#1a1c21', accent }),
    // Well above the minimum, because a dark accent that is only just readable looks dull.
    dark: palette({ ...dark, ink: '#eceef2', accent: readable(accent, dark.sheet, 6) }),
  };
}

type Basis = Pick<Palette, 'paper' | 'sheet' | 'ink' | 'accent'>;

function palette({ paper, sheet, ink, accent }: Basis): Palette {
  return {
    paper,
    sheet,
    line: mix(sheet, ink, 0.14),
    ink: readable(ink, sheet),
    muted: readable(mix(ink, sheet, 0.26), sheet),
    inkOnPaper: readable(ink, paper),
    mutedOnPaper: readable(mix(ink, paper, 0.26), paper),
    accent,
    onAccent: contrast(WHITE, accent) >= TEXT_CONTRAST ? WHITE : readable('#16181d', accent),
    link: readable(accent, sheet),
  };
}

/** The color, moved towards black or white until it can be read on `background`. */
export function readable(color: string, background: string, ratio = TEXT_CONTRAST): string {
  const pole = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mix(color, pole, share);
    if (contrast(moved, background) >= ratio) return moved;
  }
  return pole;
}

/** The contrast ratio of two colors, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
