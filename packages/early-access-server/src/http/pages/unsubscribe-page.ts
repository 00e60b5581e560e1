import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { type PageBuilder, pageBuilder } from './page.ts';
import { PAGE_TEXTS, type PageTexts } from './page-texts.ts';

/** The form sends the field that RFC 8058 has mail providers send. A script that submits the form without its button sends nothing. */
export const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

type Step = 'ask' | 'unsubscribed' | 'unknown' | 'failed';

/** The page that the unsubscribe link of an email leads to: one form, which posts to the page's own URL and works without scripts. */
export function unsubscribePage(
  brand: BrandOfSite,
): Pick<PageBuilder, 'headers'> & { html(step: Step, language: Language, backLink: string): string } {
  const { headers, html } = pageBuilder(brand, { sendsForm: true, referrerPolicy: 'no-referrer' });
  return {
    headers,
    html(step, language, backLink) {
      const texts = PAGE_TEXTS[language];
      const [title, text] = createContent(step, texts);
      const button = `<form method="post">
<button name="${ONE_CLICK.name}" value="${ONE_CLICK.value}">${escapeHtml(texts.unsubscribeButton)}</button>
</form>`;
      const back = `<a href="${escapeHtml(backLink)}">${escapeHtml(texts.back)}</a>`;
      const content = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${step === 'ask' || step === 'failed' ? button : back}`;
      return html({ language, title, content });
    },
  };
}

function createContent(step: Step, texts: PageTexts): readonly [title: string, text: string] {
  switch (step) {
    case 'ask':
      return [texts.unsubscribeTitle, texts.unsubscribeText];
    case 'unsubscribed':
      return [texts.unsubscribedTitle, texts.unsubscribedText];
    case 'unknown':
      return [texts.unknownTitle, texts.unknownText];
    case 'failed':
      return [texts.unsubscribeTitle, texts.tryLater];
  }
}
