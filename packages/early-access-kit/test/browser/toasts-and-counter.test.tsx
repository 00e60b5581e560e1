import { beforeAll, describe, expect, it } from 'vitest';
import { raiseToasts } from '../../src/admin/raise-toasts.ts';
import { pseudo } from '../../src/messages/pseudo.ts';
import { MESSAGES } from '../../src/messages.ts';
import { markupOfEveryPart } from './support/every-part.tsx';
import { kit, openHostPage } from './support/host-page.ts';

const TEXTS = { ...MESSAGES, pseudo };
const WIDTHS = [320, 390, 700, 768, 769, 820, 900, 950, 1_000, 1_024, 1_025, 1_100, 1_152, 1_153, 1_440];

// From right to left, with long words, and with texts of almost any length.
describe.each(['ar', 'de', 'pseudo'] as const)('in %s', (locale) => {
  let markup = '';
  beforeAll(async () => {
    markup = await markupOfEveryPart({ messages: TEXTS[locale], locale });
  });

  it.each(WIDTHS)('no toast covers the counter box at %i px', (width) => {
    const { page, dispose } = openHostPage({
      styles: [kit, 'body { margin: 1rem; font-family: sans-serif }'],
      attributes: { dir: locale === 'ar' ? 'rtl' : 'ltr' },
      body: markup,
      width,
    });
    const counters = [...page.querySelectorAll<HTMLElement>('.eak-counter')];
    // In the page, the counter box does this when it is mounted.
    for (const counter of counters) raiseToasts(counter);
    const boxes = counters.map((box) => box.getBoundingClientRect());
    const toasts = [...page.querySelectorAll('.eak-toast')].map((toast) => toast.getBoundingClientRect());
    dispose();
    expect([boxes.length > 0, toasts.length > 0]).toEqual([true, true]);
    const covered = toasts.filter((toast) => boxes.some((box) => overlap(toast, box)));
    expect(covered).toEqual([]);
  });
});

it.each([
  [1_024, true],
  [1_153, false],
  [1_440, false],
])('at %i px, whether toasts are above the counter box is %s', async (width, isRaised) => {
  const markup = await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' });
  const { page, dispose } = openHostPage({ styles: [kit, 'body { font-family: sans-serif }'], body: markup, width });
  const box = page.querySelector<HTMLElement>('.eak-counter');
  const stop = box ? raiseToasts(box) : undefined;
  const bottom = page.querySelector('.eak-toasts')?.getBoundingClientRect().bottom ?? 0;
  const top = box?.getBoundingClientRect().top ?? 0;
  expect([box !== null, bottom <= top]).toEqual([true, isRaised]);
  stop?.();
  dispose();
});

it.each([
  [320, 'top'],
  [640, 'top'],
  [641, 'bottom'],
  [1_440, 'bottom'],
])('at %i px, toasts are at the %s', async (width, edge) => {
  const markup = await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' });
  const { page, dispose } = openHostPage({ styles: [kit], body: markup, width });
  const { top, bottom } = page.querySelector('.eak-toasts')?.getBoundingClientRect() ?? new DOMRect();
  const { clientHeight } = page.documentElement;
  dispose();
  expect(Math.round(edge === 'top' ? top : clientHeight - bottom)).toBe(16);
});

const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
