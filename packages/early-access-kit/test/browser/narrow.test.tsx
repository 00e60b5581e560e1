import { beforeAll, describe, expect, it } from 'vitest';
import lagoon from '../../dist/themes/lagoon.css?raw';
import { LANGUAGES } from '../../src/core/languages.ts';
import { pseudo } from '../../src/messages/pseudo.ts';
import { MESSAGES } from '../../src/messages.ts';
import { markupOfEveryPart } from './support/every-part.tsx';
import { kit, openHostPage } from './support/host-page.ts';

/** The text spacing that must be supported without losing content (WCAG 1.4.12). */
const TEXT_SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }';
const TEXTS = { ...MESSAGES, pseudo };

/** Nothing is cut off or scrolls horizontally at 320 px, the width of a window at 400% zoom (WCAG 1.4.10). */
describe.each([...LANGUAGES, 'pseudo'] as const)('a narrow page in %s', (locale) => {
  let markup = '';
  beforeAll(async () => {
    markup = await markupOfEveryPart({ messages: TEXTS[locale], locale });
  });

  it.each([
    ['without changes', '', ''],
    ["with WCAG's text spacing", TEXT_SPACING, ''],
    ['in the theme lagoon', '', 'lagoon'],
  ])('shows every part completely, %s', (_, reader, theme) => {
    const { page, view, dispose } = openHostPage({
      styles: [kit, lagoon, 'body { margin: 1rem; font-family: sans-serif }', reader],
      attributes: { dir: locale === 'ar' ? 'rtl' : 'ltr', 'data-eak-theme': theme },
      body: markup,
      width: 320,
    });
    const cut: string[] = [];
    const look = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      const name = element.getAttribute('class') ?? '';
      if (left < -0.5 || right > 320.5) cut.push(`${name} stands out of the window: ${left} to ${right}`);
      const clips = view.getComputedStyle(element).overflowX !== 'visible' && !element.matches('input');
      if (clips && element.scrollWidth > element.clientWidth + 1) {
        cut.push(`${name} is ${element.scrollWidth} wide and shows ${element.clientWidth}`);
      }
      if (element.matches('button, input')) {
        const { width, height } = element.getBoundingClientRect();
        if (Math.min(width, height) < 24) cut.push(`${name} is a target of ${width} × ${height}`);
      }
    };
    const isInDialog = (element: Element) => element.closest('dialog') !== null;
    const parts = [...page.querySelectorAll('[class^="eak-"]')].filter((part) => part.className !== 'eak-form__extra');
    for (const part of parts.filter((element) => !isInDialog(element))) look(part);
    expect(page.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    for (const dialog of page.querySelectorAll('dialog')) {
      dialog.close();
      dialog.showModal();
      for (const part of [dialog, ...dialog.querySelectorAll('[class^="eak-"]')]) look(part);
      dialog.close();
    }
    // Addresses are left-to-right, and aligned where the text of an empty field starts.
    const addresses = [...page.querySelectorAll('.eak-signup [type=email], .eak-signup [type=url]')].map((field) => {
      const { direction, textAlign } = view.getComputedStyle(field);
      return `${direction} ${textAlign}`;
    });
    expect(addresses.length).toBeGreaterThan(1);
    expect(new Set(addresses)).toEqual(new Set([`ltr ${locale === 'ar' ? 'right' : 'left'}`]));
    dispose();
    expect(cut).toEqual([]);
  });
});

it('from right to left, everything is mirrored', async () => {
  const { page, view, dispose } = openHostPage({
    styles: [kit, 'body { margin: 1rem; font-family: sans-serif }'],
    attributes: { dir: 'rtl' },
    body: await markupOfEveryPart({ messages: MESSAGES.ar, locale: 'ar' }),
  });
  const find = (selector: string) => {
    const element = page.querySelector(selector);
    if (!element) throw new Error(`there is no ${selector}`);
    return element;
  };
  const box = (selector: string) => find(selector).getBoundingClientRect();
  expect(box('.eak-form__button').right).toBeLessThan(box('.eak-form__input').left);
  expect(box('.eak-toast__dismiss').right).toBeLessThanOrEqual(box('.eak-toast__text').left);
  expect(box('.eak-counter').left).toBeLessThan(page.documentElement.clientWidth - box('.eak-counter').right);
  for (const dialog of page.querySelectorAll('dialog')) {
    dialog.close();
    dialog.showModal();
    const [title, close] = ['.eak-dialog__title', '.eak-dialog__close'].map((part) =>
      dialog.querySelector(part)?.getBoundingClientRect(),
    );
    expect(close?.right).toBeLessThan(title?.right ?? 0);
  }
  expect(view.getComputedStyle(find('.eak-access__input')).direction).toBe('ltr');
  expect(view.getComputedStyle(find('.eak-access__problem')).direction).toBe('rtl');
  dispose();
});

it.each([
  ['16px', 160],
  ['24px', 240],
])('the form fits into a narrow column, with a root font of %s in %i px', async (fontSize, width) => {
  const { page, dispose } = openHostPage({
    styles: [
      kit,
      `html { font-size: ${fontSize} } body { margin: 0; font-family: sans-serif; inline-size: ${width}px }`,
    ],
    body: await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' }),
    width: 1_024,
  });
  const parts = [...page.querySelectorAll<HTMLElement>('.eak-signup, .eak-signup *')];
  const tooWide = parts.filter((part) => part.getBoundingClientRect().right > width + 0.5);
  expect([parts.length > 0, tooWide.map(({ className }) => className)]).toEqual([true, []]);
  dispose();
});

it.each([320, 1_024])('the message of an invalid address is directly below the field at %i px', async (width) => {
  const { page, dispose } = openHostPage({
    styles: [kit, 'body { margin: 1rem; font-family: sans-serif }'],
    body: await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' }),
    width,
  });
  const message = [...page.querySelectorAll('.eak-signup .eak-form__error:not(:empty)')].find(
    ({ previousElementSibling }) => previousElementSibling?.matches('[type=email]'),
  );
  const form = message?.closest('form');
  const read = (selector: string) => form?.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  const text = message?.getBoundingClientRect() ?? new DOMRect();
  const button = read('button');
  expect(text.top - read('[type=email]').bottom).toBe(6);
  if (button.top > read('[type=email]').bottom) expect(button.top - text.bottom).toBe(8);
  else expect(button.top).toBe(read('[type=email]').top);
  dispose();
});

it('the second line of a message is aligned with its first word', async () => {
  const { page, dispose } = openHostPage({
    styles: [kit, 'body { margin: 0; font-family: sans-serif; inline-size: 160px }'],
    body: await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' }),
  });
  const message = page.querySelector('.eak-signup .eak-form__error:not(:empty)');
  const lines = page.createRange();
  if (message) lines.selectNodeContents(message);
  const [first, second] = lines.getClientRects();
  expect(second?.left).toBe(first?.left);
  expect(first?.left).toBeGreaterThan(20);
  dispose();
});

it('no word of a toast is broken at 320 px with a root font of 24px', async () => {
  const { page, dispose } = openHostPage({
    styles: [kit, 'html { font-size: 24px } body { font-family: sans-serif }'],
    body: await markupOfEveryPart({ messages: MESSAGES.en, locale: 'en' }),
    width: 320,
  });
  const texts = [...page.querySelectorAll('.eak-toast__text')];
  const broken = texts.flatMap(({ firstChild }) => {
    const word = page.createRange();
    return [...(firstChild?.textContent ?? '').matchAll(/\S+/g)]
      .filter(({ 0: { length }, index }) => {
        if (!firstChild) return true;
        word.setStart(firstChild, index);
        word.setEnd(firstChild, index + length);
        return word.getClientRects().length > 1;
      })
      .map(([text]) => text);
  });
  expect([texts.length > 0, broken]).toEqual([true, []]);
  dispose();
});
