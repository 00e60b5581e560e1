import { expect, it } from 'vitest';
import { fontFile, markFile, parseDataUrl, toFontUrl, toMarkUrl } from './brand-files.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');

it.each([
  ['data:image/svg+xml,a%20b', 'a b'],
  ['data:image/svg+xml,a,b', 'a,b'],
  ['data:image/svg+xml;charset=utf-8;base64,YQ==', 'a'],
  ['DATA:text/plain;BASE64,YQ==', 'a'],
  ['data:image/svg+xml,a\nb', 'a\nb'],
  ['data:image/svg+xml,%', undefined],
  ['data:image/svg+xml', undefined],
  ['x data:image/svg+xml,a', undefined],
  ['', undefined],
])('%j contains %j', (url, expected) => {
  expect(parseDataUrl(url)?.toString()).toBe(expected);
});

it.each([
  ['image/png', PNG],
  ['image/svg+xml', SVG],
])('a mark of type %s is served as it is, and its path changes with it', (type, bytes) => {
  const url = toMarkUrl(bytes);
  expect(url).toBe(`data:${type};base64,${bytes.toString('base64')}`);
  const path = expect.stringMatching(/^\/api\/brand\/mark\?v=[\w-]{12}$/);
  expect(markFile({ mark: url })).toEqual({ type, bytes, path });
  expect(markFile({ mark: toMarkUrl(Buffer.concat([bytes, SVG])) })?.path).not.toBe(markFile({ mark: url })?.path);
});

it('there is no file without a mark or font', () => {
  expect(markFile({})).toBeUndefined();
  expect(fontFile({})).toBeUndefined();
});

const GLYF = 10;
const LOCA = 11;
const FVAR = 47;
const named = (tag: string) => [0x3f, ...Buffer.from(tag)];

/** The header and the table directory of a WOFF2 file. */
function woff2(...tables: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(48);
  header.write('wOF2');
  header.writeUInt16BE(tables.length, 12);
  return Buffer.from([...header, ...tables.flat()]);
}

it.each([
  ['no table', woff2()],
  ['no room for a header', Buffer.from('wOF2')],
  ['a directory that ends too early', woff2([0, 5], [FVAR, 5]).subarray(0, 50)],
  ['other tables', woff2([0, 5], [...named('gvar'), 5])],
  ['a length like `fvar`', woff2([0, FVAR], [1, 0x80 + FVAR, FVAR])],
  ['transformed tables with a second length like `fvar`', woff2([GLYF, 5, FVAR], [LOCA, 5, FVAR], [0x40, 5, FVAR])],
])('a font with %s has one weight', (_, bytes) => {
  expect(fontFile({ font: { families: 'Acme', file: toFontUrl(bytes) } })).toMatchObject({
    type: 'font/woff2',
    bytes,
    weights: 'normal',
    path: expect.stringMatching(/\/brand\/font\?v=/),
  });
});

it.each([
  ['first', woff2([FVAR, 5])],
  ['by name', woff2([...named('fvar'), 5])],
  ['after others', woff2([0, 5], [1, 0x81, 5], [...named('gvar'), 5], [FVAR, 5])],
  ['after transformed tables', woff2([GLYF, 5, 6], [LOCA, 5, 0x81, 6], [0x40, 5, 6], [FVAR, 5])],
  ['after tables that are not transformed', woff2([0xc0 + GLYF, 5], [0xc0 + LOCA, 5], [FVAR, 5])],
])('a font with `fvar` %s has all weights', (_, bytes) => {
  expect(fontFile({ font: { families: 'Acme', file: toFontUrl(bytes) } })?.weights).toBe('100 900');
});
