import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.ts';
import { checkBrand, readBrand } from './brand.ts';

const brand = { name: 'Acme', url: 'https://www.example.com' };

describe('checkBrand', () => {
  it('accepts a name and a URL, and the optional parts', () => {
    expect(checkBrand(brand)).toMatchObject({ name: 'Acme', url: 'https://www.example.com/' });
    expect(checkBrand({ ...brand, name: 'A'.repeat(80) }).name).toHaveLength(80);
    const complete = { ...brand, colors: { accent: '#EE4b2B' }, logo: 'https://www.example.com/logo.png' };
    expect(checkBrand(complete)).toMatchObject({ colors: { accent: '#EE4b2B' }, logo: complete.logo });
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

  it('has no URL before the server listens', () => {
    expect(readBrand({}, null)).toMatchObject({ name: 'Early access', url: null });
    expect(readBrand({ BRAND_URL: 'https://acme.example' }, null).url).toBe('https://acme.example/');
  });

  it('reads every setting', () => {
    const settings = {
      BRAND_NAME: 'Acme',
      BRAND_URL: 'https://acme.example',
      BRAND_COLOR: '#ee4b2b',
      BRAND_BACKGROUND: '#f1ece0',
      BRAND_LOGO: 'https://acme.example/logo.png',
    };
    expect(readBrand(settings, new URL('https://api.acme.example'))).toEqual({
      name: 'Acme',
      url: 'https://acme.example/',
      colors: { accent: '#ee4b2b', background: '#f1ece0' },
      logo: 'https://acme.example/logo.png',
    });
  });
});
