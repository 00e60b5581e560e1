import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fc } from '@early-access-kit/testkit/fast-check';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { readBrandFiles, readFields, readPageTexts, resolveFile } from './settings.ts';
import { decodeText } from './text-file.ts';

const BOM = '\ufeff';

/** The text in each encoding that is read, by its name. */
function encode(text: string): Readonly<Record<string, Uint8Array>> {
  const little = (value: string) => Buffer.from(value, 'utf16le');
  return {
    'utf-8': Buffer.from(text),
    'utf-8 with a BOM': Buffer.from(BOM + text),
    'utf-16le': little(BOM + text),
    'utf-16be': little(BOM + text).swap16(),
    'utf-16le without a BOM': little(text),
    'utf-16be without a BOM': little(text).swap16(),
  };
}

describe('decodeText', () => {
  it('reads each text that begins in ASCII, in UTF-8 and UTF-16', () => {
    const text = fc
      .tuple(fc.constantFrom('A=', '{"', '# '), fc.string({ unit: 'grapheme' }))
      .map(([start, rest]) => (start + rest).replaceAll('\ufeff', ''));
    fc.assert(
      fc.property(text, (text) => {
        for (const [name, bytes] of Object.entries(encode(text)))
          expect([name, decodeText(bytes)]).toEqual([name, text]);
      }),
    );
  });

  it('names another encoding', () => {
    const windows1252 = Uint8Array.from(Buffer.from('BRAND_NAME=Caf\u00e9', 'latin1'));
    expect(() => decodeText(windows1252)).toThrow('it is neither UTF-8 nor UTF-16; save it as UTF-8');
  });
});

describe.each(Object.keys(encode('')))('a file in %s', (encoding) => {
  const write = (text: string) => {
    const file = path.join(tempFolder(), 'file');
    writeFileSync(file, encode(text)[encoding] ?? '');
    return file;
  };

  it('is read for each setting that names one', () => {
    expect(readPageTexts({ PAGE_TEXTS: write('{"en":{"joinTitle":"Hello"}}') })).toEqual({
      en: { joinTitle: 'Hello' },
    });
    const fields = '{"company":{"type":"text","label":"Company"}}';
    expect(readFields({ SIGNUP_FIELDS: write(fields) })).toEqual(JSON.parse(fields));
    expect(readBrandFiles({ BRAND_STYLES: write('h1 { color: red }') })).toEqual({ styles: 'h1 { color: red }' });
  });
});

it('names the setting and the file that cannot be read', () => {
  const file = path.join(tempFolder(), 'file');
  writeFileSync(file, Buffer.from('{"en":{"joinTitle":"Caf\u00e9"}}', 'latin1'));
  expect(() => readPageTexts({ PAGE_TEXTS: file })).toThrow(ConfigError);
  expect(() => readPageTexts({ PAGE_TEXTS: file })).toThrow(
    `PAGE_TEXTS: ${file} must be a JSON file that can be read: it is`,
  );
});

it('reads the files of a brand: a drawing or its data URL, and a font with or without families', () => {
  const folder = tempFolder();
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const [mark, font] = [write('mark.svg', '<svg/>'), write('a=b.woff2', 'wOF2')];
  const inData = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`;
  const file = `data:font/woff2;base64,${Buffer.from('wOF2').toString('base64')}`;
  expect(readBrandFiles({ BRAND_MARK: mark, BRAND_FONT: font })).toEqual({
    mark: inData,
    font: { families: 'Brand', file },
  });
  expect(readBrandFiles({ BRAND_MARK: 'data:image/svg+xml,%3Csvg/%3E' })).toEqual({ mark: inData });
  expect(readBrandFiles({ BRAND_FONT: `Acme Serif, serif = ${font}` })).toEqual({
    font: { families: 'Acme Serif, serif', file },
  });
  expect(resolveFile('Acme=a.woff2', folder)).toBe(`Acme=${path.join(folder, 'a.woff2')}`);
  expect(resolveFile('data:image/png,x', folder)).toBe('data:image/png,x');
});
