import bootstrap from 'bootstrap/dist/css/bootstrap.css?raw';
import normalize from 'modern-normalize/modern-normalize.css?raw';
import preflight from 'tailwindcss/preflight.css?raw';
import newReset from 'the-new-css-reset/css/reset.css?raw';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/messages/en.ts';
import { markupOfEveryPart } from './support/every-part.tsx';
import { kit, openHostPage, readLooks } from './support/host-page.ts';

/** Styles of bare elements from other resets and sites, such as Tailwind 3's for buttons. */
const WILD = `
  *, *::before, *::after { margin: 0; padding: 0; border: 0; font: inherit; vertical-align: baseline; box-sizing: content-box; }
  body main button, body main input { border-radius: 0; background: #fe0; color: #00f; box-shadow: 0 0 3px #f0f; text-transform: uppercase; }
  button, [type='button'], [type='reset'], [type='submit'] { appearance: button; background-color: transparent; background-image: none; }
  p { max-width: 10em; font-size: 30px; }
  label { display: block; float: left; color: #f0f; }
  form { padding: 20px; background: #ccc; }
  dialog { position: static; inset: 0; border: 9px solid #f00; }
  svg { inline-size: 100%; }
`;

const RESETS = {
  'modern-normalize': normalize,
  'the new CSS reset': newReset,
  Bootstrap: bootstrap,
  "Tailwind's preflight": preflight,
  'resets of other sites': WILD,
};

// The widgets inherit font and color, so the container sets the same ones in every host.
const place = (markup: string) =>
  `<main><div id="place" style="all: initial; display: block; inline-size: 960px">${markup}</div></main>`;

let markup = '';
let plain: ReturnType<typeof looksUnder> = [];
beforeAll(async () => {
  markup = await markupOfEveryPart({ messages: en, locale: 'en' });
  plain = looksUnder([kit]);
});

function looksUnder(styles: readonly string[]) {
  const { page, view, dispose } = openHostPage({ styles, body: place(markup) });
  // Only a script can open the dialogs of the markup as modals.
  for (const dialog of page.querySelectorAll('dialog')) {
    dialog.close();
    dialog.showModal();
  }
  const looks = [...page.querySelectorAll('[class^="eak-"]')].map((element) => ({
    part: element.getAttribute('class') ?? '',
    ...readLooks(view, element),
  }));
  dispose();
  return looks;
}

describe.each(Object.entries(RESETS))('on a page with %s', (_, reset) => {
  it.each([
    ['before', [reset, kit]],
    ['after', [kit, reset]],
  ])('every part looks as on an empty page, with the host’s stylesheet %s the kit’s', (_order, styles) => {
    const hosted = looksUnder(styles);
    expect(plain.length).toBeGreaterThan(60);
    expect(differences(plain, hosted)).toEqual([]);
  });

  it('does not affect the host’s elements, not even in a slot', () => {
    const theirs =
      place(`<button class="btn">Buy</button><input type="email"><p>Text</p><h2>Title</h2><dialog open style="position: static">Hello</dialog>
      <dl><dt>One</dt><dd>Two</dd></dl><form hidden><label>Name</label></form><svg width="9" height="9"></svg>`);
    const body = `${theirs}<div class="eak-signup"><div class="eak-signup__success">${theirs}</div></div>`;
    const looks = (styles: readonly string[]) => {
      const { page, view, dispose } = openHostPage({ styles, body });
      const found = [...page.querySelectorAll('#place *')].map((element) => ({
        part: element.tagName,
        ...readLooks(view, element),
      }));
      dispose();
      return found;
    };
    expect(differences(looks([reset]), looks([reset, kit]))).toEqual([]);
  });
});

describe('the host’s styles for the kit win', () => {
  const readLook = (styles: readonly string[], part: string, hosts: string, property: string) => {
    const { page, view, dispose } = openHostPage({ styles, body: place(markup) });
    const element = page.querySelector(part);
    if (!element) throw new Error(`there is no ${part}`);
    element.classList.add(hosts);
    const value = view.getComputedStyle(element).getPropertyValue(property);
    dispose();
    return value;
  };

  it.each(['.eak-form__button', '.eak-form__input', '.eak-toast', '.eak-dialog', '.eak-figure__value'])(
    'a class for %s, before or after the kit’s stylesheet',
    (part) => {
      const own = '.mine { background-color: rgb(1, 2, 3) }';
      expect(readLook([own, kit], part, 'mine', 'background-color')).toBe('rgb(1, 2, 3)');
      expect(readLook([kit, own], part, 'mine', 'background-color')).toBe('rgb(1, 2, 3)');
    },
  );

  it.each(['.eak-form__input', '.eak-access__input'])('a height for %s from a utility class', (part) => {
    expect(readLook([kit, '.h-9 { height: 36px }'], part, 'h-9', 'height')).toBe('36px');
  });

  it('a utility class of a host with layers, with the one line that orders them', () => {
    const order = '@layer theme, base, early-access-kit, components, utilities;';
    const tailwind = `@layer base { ${preflight} } @layer utilities { .mine { background-color: rgb(1, 2, 3) } }`;
    const orders = [
      [order, tailwind, kit],
      [order, kit, tailwind],
    ];
    for (const styles of orders) {
      expect(readLook(styles, '.eak-form__button', 'mine', 'background-color')).toBe('rgb(1, 2, 3)');
      expect(differences(plain, looksUnder(styles))).toEqual([]);
    }
  });
});

it.each([
  ['ltr', 'left'],
  ['rtl', 'right'],
])('typed text starts at the start of the line in a centered section, %s', (dir, side) => {
  const { page, view, dispose } = openHostPage({
    styles: [kit, 'body { text-align: center }'],
    body: markup,
    attributes: { dir },
  });
  const found = ['.eak-form__input', '.eak-access__input', '.eak-toast__text'].map((part) => {
    const element = page.querySelector(part);
    return element && view.getComputedStyle(element).textAlign.replace('start', side);
  });
  dispose();
  expect(found).toEqual([side, side, side]);
});

it('the focus ring withstands `:focus { outline: none }`, and yields to the host’s own ring', () => {
  const ring = (styles: readonly string[]) => {
    const { page, view, dispose } = openHostPage({ styles, body: place(markup) });
    const field = page.querySelector<HTMLElement>('.eak-form__input');
    field?.classList.add('mine');
    field?.focus();
    const style = field ? view.getComputedStyle(field).outline : '';
    dispose();
    return style;
  };
  const reset = '*:focus, button:focus, input:focus { outline: none }';
  expect(ring([kit])).toContain('solid 3px');
  expect(ring([kit, reset])).toBe(ring([kit]));
  expect(ring([reset, kit])).toBe(ring([kit]));
  expect(ring([kit, '.mine:focus-visible { outline: 5px dotted rgb(1, 2, 3) }'])).toBe('rgb(1, 2, 3) dotted 5px');
});

/** Returns each property that differs between two pages, as "part: property: plain → hosted". */
function differences(plain: readonly Record<string, string>[], hosted: readonly Record<string, string>[]): string[] {
  expect(hosted.length).toBe(plain.length);
  return plain.flatMap((before, at) => {
    const after = hosted[at] ?? {};
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names]
      .filter((name) => before[name] !== after[name])
      .map((name) => `${before.part}: ${name}: ${before[name]} → ${after[name]}`);
  });
}
