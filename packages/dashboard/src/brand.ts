import { type BrandResponse, palettesOf } from 'early-access-server/admin-api';

const PARTS = [
  ['paper', '--ead-paper'],
  ['sheet', '--ead-sheet'],
  ['line', '--ead-line'],
  ['ink', '--ead-ink'],
  ['muted', '--ead-muted'],
  ['inkOnPaper', '--ead-ink-on-paper'],
  ['mutedOnPaper', '--ead-muted-on-paper'],
  ['accent', '--ead-accent'],
  ['onAccent', '--ead-on-accent'],
  ['link', '--ead-link'],
] as const;

/** Sets the brand's colours as custom properties. Through the style object, because the page's policy allows no style attributes. */
export function applyColours(colours: BrandResponse['colours'], { style }: HTMLElement): void {
  const { light, dark } = palettesOf(colours);
  for (const [part, property] of PARTS) style.setProperty(property, `light-dark(${light[part]}, ${dark[part]})`);
}
