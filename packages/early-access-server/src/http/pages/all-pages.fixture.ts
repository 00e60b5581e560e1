import { LANGUAGES } from '../../app/brand/language.ts';
import { confirmPage } from './confirm-page.ts';
import { resultPages } from './result-page.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

export const OUTCOMES = [
  'created',
  'pending',
  'duplicate',
  'invalid',
  'disposable',
  'undeliverable',
  'missing-field',
  'invalid-field',
  'failed',
  'no-origin',
  'foreign-origin',
] as const;
const BRAND = { name: 'Acme', url: 'https://www.acme.example/', colors: { accent: '#0a7d4f' } };

/** Renders every page of the server in every state and language, by names such as `result/created`. */
export function renderAllPages(): Record<string, Record<string, string>> {
  const [result, confirm, unsubscribe] = [resultPages(BRAND), confirmPage(BRAND), unsubscribePage(BRAND)];
  return Object.fromEntries(
    LANGUAGES.map((language) => {
      const pages: Record<string, string> = {};
      for (const outcome of OUTCOMES) {
        const field = outcome.endsWith('-field') ? 'Name of your shop' : undefined;
        const webmail = outcome === 'pending' ? 'https://mail.google.com/mail/' : undefined;
        pages[`result/${outcome}`] = result.html({ outcome, language, backLink: BRAND.url, field, webmail });
      }
      const html = confirm.html(language, BRAND.url);
      for (const [hidden, step] of html.matchAll(/data-step="([\w-]+)" hidden/g)) {
        // The page's script would look for a token in the URL.
        pages[`confirm/${step}`] = html.replace(hidden, '').replace(/<script>.*<\/script>/s, '');
      }
      for (const step of ['ask', 'unsubscribed', 'unknown', 'failed'] as const) {
        pages[`unsubscribe/${step}`] = unsubscribe.html(step, language, BRAND.url);
      }
      return [language, pages];
    }),
  );
}
