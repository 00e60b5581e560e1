import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { pseudo } from '../../src/messages/pseudo.ts';
import { MESSAGES } from '../../src/messages.ts';
import { markupOfEveryPart } from './support/every-part.tsx';
import { kit, openHostPage } from './support/host-page.ts';

const TEXTS = { ...MESSAGES, pseudo };
const WIDTHS = [320, 390, 700, 768, 769, 820, 900, 950, 1_000, 1_024, 1_025, 1_100, 1_152, 1_153, 1_440];

describe.each([...LANGUAGES, 'pseudo'] as const)('in %s', (locale) => {
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
    const boxes = [...page.querySelectorAll('.eak-counter')].map((box) => box.getBoundingClientRect());
    const toasts = [...page.querySelectorAll('.eak-toast')].map((toast) => toast.getBoundingClientRect());
    dispose();
    expect([boxes.length > 0, toasts.length > 0]).toEqual([true, true]);
    const covered = toasts.filter((toast) => boxes.some((box) => overlap(toast, box)));
    expect(covered).toEqual([]);
  });
});

const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
