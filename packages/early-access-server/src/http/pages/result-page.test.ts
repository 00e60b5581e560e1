import { createHash } from 'node:crypto';
import { LANGUAGES } from 'early-access-kit/messages';
import { ar } from 'early-access-kit/messages/ar';
import { es } from 'early-access-kit/messages/es';
import { describe, expect, it } from 'vitest';
import { appHarness } from '../../fixtures/app-harness.ts';
import { OUTCOMES } from './all-pages.fixture.ts';
import { chooseLanguage } from './page.ts';
import { RESULTS, resultPages } from './result-page.ts';

const brand = { name: 'Fish & <Chips>', url: 'https://acme.example/', colors: { accent: '#0a7d4f' } };

async function signUp(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<string> {
  const { post } = appHarness({ brand });
  const form = new URLSearchParams({ email: 'me@example.org', ...fields });
  return (await post('/api/signup-form', form, { headers })).text();
}

describe('the result pages', () => {
  it('show the brand: its name, its page and its colors', async () => {
    const page = await signUp({});
    expect(page).toContain('on the list! · Fish &#38; &#60;Chips&#62;</title>');
    expect(page).toContain('<bdi>Fish &#38; &#60;Chips&#62;</bdi>');
    expect(page).toContain('<a href="https://acme.example/">');
    expect(page).toContain('light-dark(#0a7d4f, ');
  });

  it('have the brand’s own styles after theirs, and may load its fonts and images', async () => {
    const styles = '@font-face { font-family: Own; src: url(/own.woff2) }';
    const [plain, styled] = [resultPages(brand), resultPages({ ...brand, styles })];
    const page = styled.html({ outcome: 'created', language: 'en', backLink: '/' });
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
    expect(style.endsWith(styles)).toBe(true);
    const policy = styled.headers['Content-Security-Policy'];
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("; font-src 'self'; img-src 'self' data:;");
    expect(plain.headers['Content-Security-Policy']).not.toMatch(/font-src|img-src/);
  });

  it('link back to the origin that the form was sent from', async () => {
    expect(await signUp({}, { origin: 'http://localhost:4173' })).toContain('<a href="http://localhost:4173/">');
    expect(await signUp({}, { origin: 'https://evil.test' })).toContain('<a href="https://acme.example/">');
  });

  it('use the language of the form, or else of the browser', async () => {
    const spanish = await signUp({}, { 'accept-language': 'sv-SE,es-MX;q=0.8,en;q=0.5' });
    expect(spanish).toContain('<html lang="es" dir="ltr">');
    expect(spanish).toContain(`<h1>${es.successTitle}</h1>`);
    const arabic = await signUp({ lang: 'ar' }, { 'accept-language': 'es' });
    expect(arabic).toContain('<html lang="ar" dir="rtl">');
    expect(arabic).toContain(`<h1>${ar.successTitle}</h1>`);
    expect(arabic).toContain('العودة إلى الصفحة');
  });

  it('differ for each outcome and language', () => {
    const pages = resultPages(brand);
    const all = LANGUAGES.flatMap((language) =>
      OUTCOMES.map((outcome) => pages.html({ outcome, language, backLink: '/' })),
    );
    expect(new Set(all).size).toBe(LANGUAGES.length * OUTCOMES.length);
    expect(all.filter((page) => /undefined|null/.test(page))).toEqual([]);
    expect(Object.keys(RESULTS)).toEqual(OUTCOMES);
  });
});

it.each([
  [null, undefined, 'en'],
  [null, '', 'en'],
  [null, '*', 'en'],
  [null, 'sv, da', 'en'],
  [null, 'sv, es;q=0', 'en'],
  [null, 'de-CH, fr;q=0.9', 'de'],
  [null, 'pt', 'pt-BR'],
  [null, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
  [null, 'zh', 'zh-Hans'],
  [null, 'zh-CN,zh;q=0.9', 'zh-Hans'],
  [null, 'zh-SG', 'zh-Hans'],
  ['zh-Hans', undefined, 'zh-Hans'],
  [null, 'zh-TW', 'en'],
  [null, 'zh-Hant', 'en'],
  ['zh-HK', 'ja', 'ja'],
  [null, 'ar-EG, en', 'ar'],
  [null, 'en;q=0.5, es-419;q=0.9', 'es'],
  ['ES', 'ar', 'es'],
  ['tlh', 'ar', 'ar'],
  ['__proto__', ';;;,,q=', 'en'],
] as const)('chooses for the field %j and the header %j: %s', (field, header, language) => {
  expect(chooseLanguage(field, header)).toBe(language);
});
