import type { FieldProblem } from 'early-access-kit/core';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { FormOutcome } from '../../app/signup/form-outcome.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { pageBuilder } from './page.ts';
import { PAGE_TEXTS, type PageTexts } from './page-texts.ts';

export const STATUS_OF_OUTCOME: Readonly<Record<FormOutcome, number>> = {
  created: 201,
  pending: 201,
  duplicate: 409,
  invalid: 400,
  'missing-field': 400,
  'invalid-field': 400,
  failed: 400,
  'no-origin': 403,
  'foreign-origin': 403,
};

function createContent(outcome: FormOutcome, texts: PageTexts): readonly [title: string, text: string] {
  switch (outcome) {
    case 'created':
      return [texts.successTitle, texts.successText];
    case 'pending':
      return [texts.renewedTitle, texts.unconfirmedText];
    case 'duplicate':
      return [texts.duplicateEmail, texts.duplicateText];
    case 'invalid':
      return [texts.invalidEmail, texts.invalidText];
    case 'missing-field':
      return [texts.missingFieldTitle, texts.missingFieldText];
    case 'invalid-field':
      return [texts.invalidFieldTitle, texts.invalidFieldText];
    case 'failed':
      return [texts.signupFailed, texts.failedText];
    case 'no-origin':
      return [texts.refusedTitle, texts.noOriginText];
    case 'foreign-origin':
      return [texts.refusedTitle, texts.foreignOriginText];
  }
}

export function outcomeOfField(problem: FieldProblem): FormOutcome {
  return problem === 'required' ? 'missing-field' : 'invalid-field';
}

interface ResultPage {
  readonly outcome: FormOutcome;
  readonly language: Language;
  readonly backLink: string;
  /** The label of the host's own field that the outcome is about. */
  readonly field?: string | undefined;
  /** The visitor's webmail. */
  readonly webmail?: string | undefined;
}

export interface ResultPages {
  readonly headers: Readonly<Record<string, string>>;
  html(page: ResultPage): string;
}

/** The responses to the form without scripts. */
export function resultPages(brand: BrandOfSite): ResultPages {
  const { headers, html } = pageBuilder(brand);
  return {
    headers,
    html({ outcome, language, backLink, field, webmail }) {
      const [title, text] = createContent(outcome, PAGE_TEXTS[language]);
      const content = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>${field === undefined ? '' : `\n<p><strong dir="auto">${escapeHtml(field)}</strong></p>`}${webmail === undefined ? '' : `\n<a href="${escapeHtml(webmail)}">${escapeHtml(PAGE_TEXTS[language].openInbox)}</a>`}
<a href="${escapeHtml(backLink)}">${escapeHtml(PAGE_TEXTS[language].back)}</a>`;
      return html({ language, title, content });
    },
  };
}
