import type { ClosedNotice, ClosedReason, ListClosed } from '../../app/signup/list-status.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { Failure } from '../routing/failure.ts';
import type { PageTexts } from './page-texts.ts';

/** Each reason in words, for developers of clients. */
const REASONS: Readonly<Record<ClosedReason, string>> = {
  paused: 'the list is paused',
  closed: 'the list is closed',
  full: 'the list is full',
};

/** The response to a signup that the list does not accept now. Forms only show its text. */
export function closedFailure(list: ListClosed, texts: PageTexts): Failure {
  const { closed: reason, message, takes_requests: isKept } = list;
  const link = readLink(list);
  const said = message ?? texts[`${reason}Text`];
  const text = [asSentence(said), isKept && texts.requestedText, link?.url].filter(Boolean).join(' ');
  const closed = { reason, is_kept: isKept, ...(link && { link }) };
  return new Failure(403, 'list-closed', REASONS[reason], { text, closed });
}

/** Adds a period, because other sentences follow the admin's text. */
function asSentence(text: string): string {
  return /\p{P}$/u.test(text) ? text : `${text}.`;
}

/**
 * The HTML of a page while the list accepts nobody. `form` collects addresses to sign up when the list opens, if the
 * list takes them.
 */
export function closedContent(list: ListClosed, texts: PageTexts, { form, isFramed }: ClosedPage): string {
  return `<h1>${escapeHtml(texts[`${list.closed}Title`])}</h1>
<p>${escapeHtml(list.message ?? texts[`${list.closed}Text`])}</p>${list.takes_requests ? `\n<p>${escapeHtml(texts.requestText)}</p>\n${form}` : ''}${linkInstead(list, isFramed)}`;
}

interface ClosedPage {
  readonly form: string;
  readonly isFramed: boolean;
}

/** The HTML of a link to the alternative page, or an empty string. */
export function linkInstead(notice: ClosedNotice, isFramed: boolean): string {
  const link = readLink(notice);
  if (link === null) return '';
  const target = isFramed ? ' target="_blank" rel="noopener"' : '';
  return `\n<a class="button" href="${escapeHtml(link.url)}"${target}>${escapeHtml(link.text)}</a>`;
}

function readLink({ link_url, link_text }: ClosedNotice): { readonly url: string; readonly text: string } | null {
  return link_url === null ? null : { url: link_url, text: link_text ?? new URL(link_url).host };
}
