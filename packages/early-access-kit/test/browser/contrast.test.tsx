import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import lagoon from '../../dist/themes/lagoon.css?raw';
import { en } from '../../src/messages/en.ts';
import { markupOfEveryPart } from './support/every-part.tsx';
import { kit, openHostPage } from './support/host-page.ts';

/** The minimum contrast of WCAG 2.2 AA for text and for other visual information. */
const TEXT = 4.5;
const SHAPE = 3;
const PAIRS: readonly [what: string, part: string, pseudo: string | null, color: string, least: number][] = [
  ['the label', '.eak-form__label', null, 'color', TEXT],
  ['the typed text', '.eak-form__input', null, 'color', TEXT],
  ['the placeholder', '.eak-form__input', '::placeholder', 'color', TEXT],
  ['the border of the field', '.eak-form__input', null, 'border-top-color', SHAPE],
  ['the border of an invalid field', '.eak-form__input[aria-invalid="true"]', null, 'border-top-color', SHAPE],
  ['the button', '.eak-form__button:enabled', null, 'color', TEXT],
  ['the shape of the button', '.eak-form__button:enabled', null, 'background-color', SHAPE],
  ['the message for an invalid address', '.eak-form__error', null, 'color', TEXT],
  ['its icon', '.eak-form__error:not(:empty)', '::before', 'color', TEXT],
  ['the title after success', '.eak-signup__success-title', null, 'color', TEXT],
  ['the text after success', '.eak-signup__success-text', null, 'color', TEXT],
  ['the border of the success message', '.eak-signup__success', null, 'border-inline-start-color', SHAPE],
  ['a toast', '.eak-toast__text', null, 'color', TEXT],
  ['the icon background of a success', '.eak-toast--success', '::before', 'background-color', SHAPE],
  ['the icon of a success', '.eak-toast--success', '::before', 'color', TEXT],
  ['the icon background of an error', '.eak-toast--error', '::before', 'background-color', SHAPE],
  ['the icon of an error', '.eak-toast--error', '::before', 'color', TEXT],
  ['the dismiss button of a toast', '.eak-toast__dismiss', null, 'color', TEXT],
  ['the figures in the counter box', '.eak-counter__value', null, 'color', TEXT],
  ['the labels in the counter box', '.eak-counter__label', null, 'color', TEXT],
  ['the title of a dialog', '.eak-dialog__title', null, 'color', TEXT],
  ['the message for a wrong address', '.eak-access__problem', null, 'color', TEXT],
  ['the button of the access dialog', '.eak-access__submit', null, 'color', TEXT],
  ['a figure’s period', '.eak-figure__period', null, 'color', TEXT],
  ['the logout button', '.eak-overview__button', null, 'color', TEXT],
];
/** Compared with the background of the surrounding element, not with their own. */
const SHAPES = ['background-color', 'border-top-color', 'border-inline-start-color'];

let markup = '';
beforeAll(async () => {
  markup = await markupOfEveryPart({ messages: en, locale: 'en' });
});

/** A theme in forced-colors mode. */
async function forceColors(value: 'active' | 'none'): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] });
}
afterEach(() => forceColors('none'));

describe.each(['default', 'lagoon'])('in the theme %s', (theme) => {
  it.each(['light', 'dark'])('everything has enough contrast in its %s scheme', (scheme) => {
    const { tooFaint, ring } = measure(theme, scheme, PAIRS);
    expect(tooFaint).toEqual([]);
    expect(ring).toBeGreaterThanOrEqual(SHAPE);
  });

  it.each(['light', 'dark'])('everything has enough contrast with forced colors, %s', async (scheme) => {
    await forceColors('active');
    // Backgrounds are removed, so shapes need borders.
    const { tooFaint, ring } = measure(
      theme,
      scheme,
      PAIRS.filter(([, , , property]) => property !== 'background-color'),
    );
    expect(tooFaint).toEqual([]);
    expect(ring).toBeGreaterThanOrEqual(SHAPE);
  });
});

/** Hosts that color their pages or sections without a matching `color-scheme`. */
const HOSTS = {
  'a dark page without color-scheme': 'body { background: #111; color: #eee }',
  'a section in the color of a brand': 'body { background: #2f5fe8; color: #fff }',
  'a light section of a dark page': ':root { color-scheme: dark } body { background: #fff; color: #222 }',
};

describe.each(Object.entries(HOSTS))('on %s', (_, styles) => {
  it.each(['default', 'lagoon'])('everything has enough contrast in the theme %s', (theme) => {
    // The kit does not know the background behind its borders. Its boxes have their own.
    const read = PAIRS.filter(([, , , property]) => !SHAPES.includes(property));
    const { tooFaint, ring } = measureContrast(styles, theme, read);
    expect(tooFaint).toEqual([]);
    expect(ring).toBeGreaterThanOrEqual(SHAPE);
  });
});

/** Returns all pairs with too little contrast, and the contrast of the focus ring. */
function measure(theme: string, scheme: string, pairs: typeof PAIRS) {
  return measureContrast(`:root { color-scheme: ${scheme}; background: Canvas; color: CanvasText }`, theme, pairs);
}

function measureContrast(hostStyles: string, theme: string, pairs: typeof PAIRS) {
  const { page, view, dispose } = openHostPage({
    styles: [kit, lagoon, hostStyles],
    attributes: theme === 'default' ? {} : { 'data-eak-theme': theme },
    body: markup,
  });
  const tooFaint = pairs.flatMap(([what, part, pseudo, property, least]) => {
    const element = page.querySelector(part);
    if (!element) throw new Error(`there is no ${part}`);
    const style = view.getComputedStyle(element, pseudo);
    const ground = SHAPES.includes(property) && !pseudo ? element.parentElement : element;
    const filled = property === 'color' && pseudo === '::before' && !isClear(style.backgroundColor);
    const behind = filled ? style.backgroundColor : findBackground(view, ground);
    const ratio = contrast(painted(behind), painted(behind, style.getPropertyValue(property)));
    return ratio < least ? [`${what}: ${ratio.toFixed(2)} instead of ${least}`] : [];
  });
  const ring = focusRing(page, view);
  dispose();
  return { tooFaint, ring };
}

/** Returns the contrast of a field's ring or of the halo inside it with the background, whichever is higher. */
function focusRing(page: Document, view: Window): number {
  const field = page.querySelector<HTMLElement>('.eak-form__input');
  field?.focus();
  if (!field) throw new Error('there is no field');
  const { outlineStyle, outlineColor, boxShadow } = view.getComputedStyle(field);
  expect(outlineStyle).toBe('solid');
  const ground = findBackground(view, field.parentElement);
  const [, halo = ground] = /^(.+\)) 0px 0px 0px 2px$/.exec(boxShadow) ?? [];
  const ring = contrast(painted(halo), painted(halo, outlineColor));
  return Math.max(
    contrast(painted(ground), painted(ground, outlineColor)),
    Math.min(ring, contrast(painted(ground), painted(halo))),
  );
}

/** Returns the first background that is not transparent, going up from an element. */
function findBackground(view: Window, element: Element | null): string {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = view.getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  throw new Error('the page has no ground');
}

const isClear = (color: string) => /^rgba\(.*, 0\)$/.test(color);

type Rgb = readonly [red: number, green: number, blue: number];

/** Returns colors as the browser paints them on top of each other, in any color space. */
function painted(...colors: readonly string[]): Rgb {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('there is no canvas');
  for (const color of colors) {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  expect(alpha, `${colors} is see-through`).toBe(255);
  return [red, green, blue];
}

/** Returns WCAG's contrast ratio, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
