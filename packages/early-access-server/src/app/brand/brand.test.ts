import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.ts';
import { checkBrand, readBrand } from './brand.ts';

const brand = { name: 'Acme', url: 'https://www.example.com' };
const DRAWING = '<path d="M0 0h8v8z" fill="url(#a)"/><use href="#b"/>';
const svg = (content: string, more = '') =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"${more} viewBox="0 0 8 8">${content}</svg>`).toString('base64')}`;
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(24);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
const font = (families: string, bytes: Buffer = Buffer.from('wOF2')) => ({
  families,
  file: `data:font/woff2;base64,${bytes.toString('base64')}`,
});

describe('checkBrand', () => {
  it('accepts a name and a URL, and the optional parts', () => {
    expect(checkBrand(brand)).toMatchObject({ name: 'Acme', url: 'https://www.example.com/' });
    expect(checkBrand({ ...brand, name: 'A'.repeat(80) }).name).toHaveLength(80);
    const complete = { ...brand, colors: { accent: '#EE4b2B' }, logo: 'https://www.example.com/logo.png' };
    expect(checkBrand(complete)).toMatchObject({ colors: { accent: '#EE4b2B' }, logo: complete.logo });
  });

  it.each([
    { mark: svg(DRAWING) },
    { mark: `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${DRAWING}</svg>`)}` },
    { mark: `data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg">${DRAWING}</svg>` },
    { mark: svg('<style><![CDATA[ .a > .b { fill: red } ]]></style><!-- <script> -->') },
    { mark: svg('<filter><feGaussianBlur/></filter><use href=#b /><!-- <script> --><!-- onload="" -->') },
    { mark: png(512, 512) },
    { mark: png(2_048, 2_048) },
    { picture: 'https://www.example.com/picture.png' },
    { styles: 'p { margin: 0 }' },
    { font: font('Acme Serif, Georgia, serif') },
    { font: font('Acme', Buffer.alloc(524_288, 'wOF2')) },
    { radius: 0 },
    { radius: 32 },
  ])('accepts %j', (part) => expect(checkBrand({ ...brand, ...part })).toMatchObject(part));

  it.each([
    ['mark', { mark: 'logo.svg' }, 'must be an SVG or PNG file'],
    ['mark', { mark: 'data:image/jpeg;base64,/9j/' }, 'convert other pictures'],
    ['mark', { mark: 'data:image/svg+xml,<svg viewBox="0 0 8 8"/>' }, 'has xmlns='],
    ['mark', { mark: svg('<script>alert(1)</script>') }, 'but has <script>'],
    [
      'mark',
      { mark: svg('<style><![CDATA[<!--]]></style><script>alert(1)</script><style><![CDATA[-->]]></style>') },
      'but has <script>',
    ],
    ['mark', { mark: svg('<foreignObject><b/></foreignObject>') }, 'but has <foreignObject>'],
    ['mark', { mark: svg('<animate/>') }, 'but has <animate>'],
    ['mark', { mark: svg('<image href="https://evil.example"/>') }, 'but has <image>'],
    ['mark', { mark: svg(DRAWING, ' onload="alert(1)"') }, 'but has a script'],
    ['mark', { mark: svg('<use xlink:href="https://evil.example/#a"/>') }, 'but has a link'],
    ['mark', { mark: svg('<rect fill="url(https://evil.example/#a)"/>') }, 'but has something that loads a file'],
    ['mark', { mark: svg('<style>@import "x.css";</style>') }, 'but has something that loads a file'],
    ['mark', { mark: svg(' '.repeat(65_536)) }, 'must have at most 64 kB, not 65; simplify'],
    ['mark', { mark: ` ${svg(DRAWING)}` }, 'must be an SVG or PNG file'],
    ['mark', { mark: svg('<!DOCTYPE svg>') }, 'but has a DOCTYPE'],
    ['mark', { mark: svg('<?xml-stylesheet href="#a"?>') }, 'but has a style sheet'],
    ['mark', { mark: svg(DRAWING, ' onload ="alert(1)"') }, 'but has a script'],
    ['mark', { mark: svg('<use href = https://evil.example/#a />') }, 'but has a link'],
    ['mark', { mark: svg('<rects/>') }, 'but has <rects>'],
    ['mark', { mark: svg('<x:rect/>') }, 'but has <x:rect>'],
    ['mark', { mark: svg('<fe-x/>') }, 'but has <fe-x>'],
    ['mark', { mark: png(4_000, 10) }, 'at most 2048 x 2048 pixels, not 4000 x 10'],
    ['mark', { mark: png(10, 2_049) }, 'not 10 x 2049'],
    ['mark', { mark: png(0, 10) }, 'not 0 x 10'],
    ['mark', { mark: png(10, 0) }, 'not 10 x 0'],
    ['mark', { mark: 'data:image/png;base64,iVBORw0KGgo=' }, 'not 0 x 0'],
    ['picture', { picture: 'http://www.example.com/picture.png' }, 'must be an address such as https'],
    ['font', { font: font('Acme', Buffer.from('OTTO')) }, 'must be a WOFF2 file; convert TTF, OTF or WOFF'],
    ['font', { font: font('Acme', Buffer.alloc(524_289, 'wOF2')) }, 'must have at most 512 kB, not 513; leave out'],
    ['font', { font: font("x'; } body { display: none") }, 'must name families'],
    ['font', { font: font('Sans-Serif, Acme') }, 'must name the font file’s family first'],
    ['radius', { radius: 33 }, 'must be a whole number from 0 to 32'],
    ['radius', { radius: -1 }, 'must be a whole number from 0 to 32'],
    ['radius', { radius: 1.5 }, 'must be a whole number from 0 to 32'],
    ['radius', { radius: Number.NaN }, '0 for square corners'],
  ])('refuses the %s in %j', (part, wrong, reason) => {
    const check = () => checkBrand({ ...brand, ...wrong });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(new RegExp(`^brand\\.${part} \\(BRAND_${part.toUpperCase()}\\) [^\\n]*$`));
    expect(check).toThrow(reason);
  });

  it.each([
    ['name (BRAND_NAME)', { name: ' ' }],
    ['name', { name: 'Acme\r\nBcc: ada@example.org' }],
    ['name', { name: 'A'.repeat(81) }],
    ['url (BRAND_URL)', { url: 'www.example.com' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['colors.accent (BRAND_COLOR)', { colors: { accent: 'red' } }],
    ['colors.background (BRAND_BACKGROUND)', { colors: { background: '#fff;}' } }],
    ['colors.accent', { colors: { accent: 'x#1d4f91' } }],
    ['colors.accent', { colors: { accent: '#1d4f91;' } }],
    ['logo (BRAND_LOGO)', { logo: 'http://www.example.com/logo.png' }],
    ['logo', { logo: '/logo.png' }],
    ['styles (BRAND_STYLES)', { styles: 'p {}</STYLE ><script>' }],
  ])('names the %s of %j in one line', (part, wrong) => {
    const check = () => checkBrand({ ...brand, ...wrong });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(expect.objectContaining({ message: expect.stringContaining(`brand.${part}`) }));
    expect(check).toThrow(/^[^\n]*$/);
  });
});

it('a brand that cannot be used is an error that says what it has to look like', () => {
  const error = (wrong: object) => expect.objectContaining({ name: 'ConfigError', ...wrong });
  expect(() => checkBrand({ ...brand, colors: { accent: 'red' } })).toThrow(
    error({ message: 'brand.colors.accent (BRAND_COLOR) must be a color such as #1d4f91, not "red"' }),
  );
  expect(() => checkBrand({ ...brand, url: 'acme' })).toThrow(
    error({ message: 'brand.url (BRAND_URL) must be an address such as https://www.example.com, not "acme"' }),
  );
});

describe('readBrand', () => {
  it.each([
    ['https://www.example.com', 'www.example.com'],
    ['http://localhost:4173', 'Early access'],
    ['http://127.0.0.1', 'Early access'],
    ['http://[::1]:4173', 'Early access'],
  ])('at %s is called %j unless it has a name', (publicUrl, name) => {
    const nothing = { BRAND_NAME: '', BRAND_URL: '', BRAND_COLOR: '', BRAND_BACKGROUND: '', BRAND_LOGO: '' };
    expect(readBrand(nothing, new URL(publicUrl))).toEqual({ ...readBrand({}, new URL(publicUrl)), name });
    expect(readBrand({}, new URL(publicUrl)).url).toBe(new URL(publicUrl).href);
    expect(readBrand({ BRAND_NAME: 'Acme' }, new URL(publicUrl)).name).toBe('Acme');
  });

  it('has the colors, picture and corners of the settings, and none of empty ones', () => {
    const empty = { BRAND_COLOR: '', BRAND_BACKGROUND: '', BRAND_PICTURE: '', BRAND_RADIUS: ' ', BRAND_LOGO: '' };
    expect(readBrand(empty, null)).toEqual({ name: 'Early access', url: null, colors: {} });
    const picture = 'https://acme.example/picture.png';
    const settings = {
      BRAND_COLOR: '#1d4f91',
      BRAND_BACKGROUND: '#ffffff',
      BRAND_PICTURE: picture,
      BRAND_RADIUS: ' 8 ',
    };
    expect(readBrand(settings, null)).toMatchObject({
      colors: { accent: '#1d4f91', background: '#ffffff' },
      picture,
      radius: 8,
    });
    expect(() => readBrand({ BRAND_RADIUS: '8px' }, null)).toThrow(/BRAND_RADIUS/);
  });

  it('has no URL before the server listens', () => {
    expect(readBrand({}, null)).toMatchObject({ name: 'Early access', url: null });
    expect(readBrand({ BRAND_URL: 'https://acme.example' }, null).url).toBe('https://acme.example/');
  });
});
