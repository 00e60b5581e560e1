import { getContrast, mix, toHex } from 'color2k';
import type { BrandColors } from './brand.ts';

export type Palette = ReturnType<typeof palette>;

const BLACK = '#000000';
const WHITE = '#ffffff';
const TEXT_CONTRAST = 4.5;
const DEFAULT_COLORS = { accent: '#1d4f91', background: '#f3f4f6' };

/** Cached, because deriving a palette takes about 80 µs and every email of a launch needs one. */
const derived = new WeakMap<BrandColors, ReturnType<typeof derive>>();
const NO_COLORS: BrandColors = {};

export function derivePalettes(colors: BrandColors = NO_COLORS) {
  const known = derived.get(colors);
  if (known !== undefined) return known;
  const palettes = derive(colors);
  derived.set(colors, palettes);
  return palettes;
}

function derive(colors: BrandColors) {
  const { accent = DEFAULT_COLORS.accent, background = DEFAULT_COLORS.background } = colors;
  const dark = { paper: mixColors(background, BLACK, 0.92), sheet: mixColors(background, BLACK, 0.87) };
  return {
    light: palette({ paper: background, sheet: mixColors(background, WHITE, 0.85), ink: '#1a1c21', accent }),
    // Well above the minimum, because a dark accent that is barely readable looks dull.
    dark: palette({ ...dark, ink: '#eceef2', accent: readable(accent, dark.sheet, 6) }),
  };
}

type Basis = Readonly<Record<'paper' | 'sheet' | 'ink' | 'accent', string>>;

/** Colors as `#rrggbb`. The contrast of every text with its background is at least 4.5 (WCAG 1.4.3). */
function palette({ paper, sheet, ink, accent }: Basis) {
  return {
    paper,
    /** Background of the content, on top of the paper. */
    sheet,
    line: mixColors(sheet, ink, 0.14),
    /** Text on the sheet. */
    ink: readable(ink, sheet),
    muted: readable(mixColors(ink, sheet, 0.26), sheet),
    inkOnPaper: readable(ink, paper),
    mutedOnPaper: readable(mixColors(ink, paper, 0.26), paper),
    /** Fill of buttons, and text on it. */
    accent,
    onAccent: getContrast(WHITE, accent) >= TEXT_CONTRAST ? WHITE : readable('#16181d', accent),
    /** The accent as text on the sheet. */
    link: readable(accent, sheet),
  };
}

/** Moves the color towards black or white until it is readable on `background`. */
export function readable(color: string, background: string, ratio = TEXT_CONTRAST): string {
  const pole = getContrast(WHITE, background) > getContrast(BLACK, background) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mixColors(color, pole, share);
    if (getContrast(moved, background) >= ratio) return moved;
  }
  return pole;
}

function mixColors(from: string, to: string, share: number): string {
  return toHex(mix(from, to, share));
}
