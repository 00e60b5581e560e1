import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { pageBuilder } from './page.ts';
import { type AllPageTexts, linkBack, linkToStatus, resolveTexts } from './page-texts.ts';

/** The field that RFC 8058 requires of mail providers. A script that submits the form without its button omits it. */
export const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

const STEPS = {
  ask: { title: 'unsubscribeTitle', text: 'unsubscribeText' },
  unsubscribed: { title: 'unsubscribedTitle', text: 'unsubscribedText' },
  unknown: { title: 'unknownTitle', text: 'unknownText' },
  failed: { title: 'tryLater', text: 'unsubscribeTitle' },
} as const;
type Step = keyof typeof STEPS;

/**
 * The page that the unsubscribe link of an email leads to: a form that posts to the page's own URL and works without
 * scripts.
 */
export function unsubscribePage(
  brand: BrandOfSite,
  pageTexts: AllPageTexts = resolveTexts(),
  /** True if people have a status page, where they can request a new link and unsubscribe. */
  { statusPage = false }: { readonly statusPage?: boolean } = {},
) {
  const { headers, html } = pageBuilder(brand, { sendsForm: true, referrerPolicy: 'no-referrer' });
  return {
    headers,
    html(step: Step, language: Language, backLink: string): string {
      const texts = pageTexts[language];
      const title = texts[STEPS[step].title];
      const button = `<form method="post">
<button name="${ONE_CLICK.name}" value="${ONE_CLICK.value}">${escapeHtml(texts.unsubscribeButton)}</button>
</form>`;
      const content = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(texts[STEPS[step].text])}</p>
${step === 'ask' || step === 'failed' ? button : linkBack(texts, backLink)}${statusPage && step === 'unknown' ? linkToStatus(texts) : ''}`;
      return html({ language, title, content });
    },
  };
}
