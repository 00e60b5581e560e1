import { LANGUAGES, type Language } from '../../app/brand/language.ts';
import { confirmPage } from './confirm-page.ts';
import { resultPages } from './result-page.ts';
import { statusPage } from './status-page.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

export const OUTCOMES = [
  'created',
  'pending',
  'duplicate',
  'invalid',
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
      Object.assign(pages, renderStatusPages(language));
      for (const step of ['ask', 'unsubscribed', 'unknown', 'failed'] as const) {
        pages[`unsubscribe/${step}`] = unsubscribe.html(step, language, BRAND.url);
      }
      return [language, pages];
    }),
  );
}

/** The status page in each state, as its script fills it in. */
function renderStatusPages(language: Language): Record<string, string> {
  const empty = statusPage(BRAND)
    .html(language, BRAND.url)
    .replace(/<script>.*<\/script>/s, '');
  const signedUp = new Date('2026-03-16').toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' });
  const filled = empty
    .replace('"email">', '"email">ada@example.org')
    .replace('"signed_up_at">', `"signed_up_at">${signedUp}`);
  const pages: Record<string, string> = {};
  for (const [hidden, step] of empty.matchAll(/data-step="([\w-]+)" hidden/g)) {
    pages[`status/${step}`] = filled.replace(hidden, '');
  }
  for (const [hidden, state] of empty.matchAll(/data-state="([\w-]+)" hidden/g)) {
    const page = (pages['status/status'] ?? '').replace(hidden, '');
    pages[`status/${state}`] = page.replaceAll(`data-unless="${state}"`, 'hidden');
  }
  delete pages['status/status'];
  const [ask, asked] = ['data-action="ask"', 'data-ask hidden'];
  pages['status/asked'] = (pages['status/subscribed'] ?? '').replace(ask, `${ask} hidden`).replace(asked, 'data-ask');
  return pages;
}
