import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { FormOutcome } from '../../app/signup/form-outcome.ts';
import type { ClosedNotice } from '../../app/signup/list-status.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { linkInstead } from './closed-list.ts';
import { type PageRights, pageBuilder, type Theme } from './page.ts';
import { type AllPageTexts, linkBack, linkToStatus, resolveTexts } from './page-texts.ts';

/** The page for each outcome: its status code and the names of its texts. */
export const RESULTS = {
  created: { status: 201, title: 'successTitle', text: 'successText' },
  pending: { status: 201, title: 'renewedTitle', text: 'unconfirmedText' },
  duplicate: { status: 409, title: 'duplicateEmail', text: 'duplicateText' },
  invalid: { status: 400, title: 'invalidEmail', text: 'invalidText' },
  blocked: { status: 400, title: 'blockedTitle', text: 'otherAddressText' },
  disposable: { status: 400, title: 'disposableTitle', text: 'disposableText' },
  misspelled: { status: 400, title: 'misspelledTitle', text: 'invalidText' },
  personal: { status: 400, title: 'personalTitle', text: 'otherAddressText' },
  undeliverable: { status: 400, title: 'undeliverableTitle', text: 'invalidText' },
  'missing-field': { status: 400, title: 'missingFieldTitle', text: 'missingFieldText' },
  'invalid-field': { status: 400, title: 'invalidFieldTitle', text: 'invalidFieldText' },
  paused: { status: 403, title: 'pausedTitle', text: 'pausedText' },
  closed: { status: 403, title: 'closedTitle', text: 'closedText' },
  full: { status: 403, title: 'fullTitle', text: 'fullText' },
  requested: { status: 202, title: 'requestedTitle', text: 'requestedText' },
  failed: { status: 400, title: 'signupFailed', text: 'failedText' },
  'no-origin': { status: 403, title: 'refusedTitle', text: 'noOriginText' },
  'foreign-origin': { status: 403, title: 'refusedTitle', text: 'foreignOriginText' },
} as const satisfies Record<FormOutcome, object>;

interface ResultPage {
  readonly outcome: FormOutcome;
  readonly language: Language;
  readonly backLink: string;
  /** The label of the host's field that the outcome is about. */
  readonly field?: string | undefined;
  readonly webmail?: string | undefined;
  /** The admin's notice if the list accepts nobody. */
  readonly notice?: ClosedNotice | undefined;
  readonly theme?: Theme | undefined;
}

/**
 * Outcomes after which the address is on the list. They link to the status page in the same way for everyone, because
 * they contain no token.
 */
const ON_LIST: readonly FormOutcome[] = ['created', 'pending', 'duplicate'];

interface ResultOptions {
  /** See `frameRights`. */
  readonly rights?: PageRights;
  /** True if people have a status page. */
  readonly statusPage?: boolean;
}

export function resultPages(
  brand: BrandOfSite,
  pageTexts: AllPageTexts = resolveTexts(),
  { rights = {}, statusPage = false }: ResultOptions = {},
) {
  const { headers, html } = pageBuilder(brand, rights);
  return {
    headers,
    html({ outcome, language, backLink, field, webmail, notice, theme }: ResultPage): string {
      const texts = pageTexts[language];
      const title = texts[RESULTS[outcome].title];
      const isFramed = rights.framedBy !== undefined;
      const content = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml((outcome !== 'requested' && notice?.message) || texts[RESULTS[outcome].text])}${field === undefined ? '' : `<br><strong dir="auto">${escapeHtml(field)}</strong>`}</p>${webmail === undefined ? '' : `\n<a class="button" href="${escapeHtml(webmail)}"${isFramed ? ' target="_blank" rel="noopener"' : ''}>${escapeHtml(texts.openInbox)}</a>`}${notice === undefined ? '' : linkInstead(notice, isFramed)}
${linkBack(texts, backLink)}${statusPage && !isFramed && ON_LIST.includes(outcome) ? linkToStatus(texts) : ''}`;
      return html({ language, title, content, theme });
    },
  };
}
