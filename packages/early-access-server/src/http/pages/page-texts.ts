import type { Inbox, Messages, SharedLink } from 'early-access-kit/core';
import { MESSAGES } from 'early-access-kit/messages';
import { drawLine } from '../../app/brand/dots.ts';
import { LANGUAGES, type Language } from '../../app/brand/language.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { PageShare, Share } from '../../app/share/describe-share.ts';
import { findWebmail } from '../../app/signup/webmail.ts';
import { findNearest } from '../../app/text/nearest-name.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { STATUS_PAGE } from '../routing/own-paths.ts';
import { ar } from './page-texts/ar.ts';
import { de } from './page-texts/de.ts';
import { en, type OwnPageTexts } from './page-texts/en.ts';
import { es } from './page-texts/es.ts';
import { fr } from './page-texts/fr.ts';
import { it } from './page-texts/it.ts';
import { ja } from './page-texts/ja.ts';
import { nl } from './page-texts/nl.ts';
import { pl } from './page-texts/pl.ts';
import { ptBR } from './page-texts/pt-br.ts';
import { zhHans } from './page-texts/zh-hans.ts';

/** The kit's messages, and the texts that only the server's pages have. */
const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: { ...MESSAGES.en, ...en },
  es: { ...MESSAGES.es, ...es },
  ar: { ...MESSAGES.ar, ...ar },
  de: { ...MESSAGES.de, ...de },
  fr: { ...MESSAGES.fr, ...fr },
  it: { ...MESSAGES.it, ...it },
  ja: { ...MESSAGES.ja, ...ja },
  nl: { ...MESSAGES.nl, ...nl },
  pl: { ...MESSAGES.pl, ...pl },
  'pt-BR': { ...MESSAGES['pt-BR'], ...ptBR },
  'zh-Hans': { ...MESSAGES['zh-Hans'], ...zhHans },
};

/** The texts of the pages in one language. */
export interface PageTexts extends Messages, OwnPageTexts {}
export type AllPageTexts = Readonly<Record<Language, PageTexts>>;

/**
 * A host's texts for the pages that the server renders, by language: `{ "en": { "confirmTitle": "One more step" } }`.
 */
export type ServerTexts = { readonly [Name in Language]?: Partial<PageTexts> | undefined };

/**
 * Merges the host's texts into the default ones. Throws a `ConfigError` for an unknown key, which suggests the most
 * similar one.
 */
export function resolveTexts(own: ServerTexts = {}): AllPageTexts {
  for (const [language, texts] of Object.entries(own)) {
    checkKey('texts', language, LANGUAGES);
    for (const [name, text] of Object.entries(texts ?? {})) {
      checkKey(`texts.${language}`, name, Object.keys(PAGE_TEXTS.en));
      if (typeof text !== 'string' || text.trim() === '') {
        throw new ConfigError(`texts.${language}.${name} (PAGE_TEXTS) must be a text that is not empty`);
      }
    }
  }
  const all = { ...PAGE_TEXTS };
  for (const language of LANGUAGES) all[language] = { ...all[language], ...own[language] };
  return all;
}

function checkKey(part: string, key: string, keys: readonly string[]): void {
  if (keys.includes(key)) return;
  throw new ConfigError(`${part}.${key} (PAGE_TEXTS) does not exist; did you mean ${findNearest(key, keys)?.name}?`);
}

/** The HTML of a link back to the visitor's page. */
export function linkBack({ back }: PageTexts, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(back)}</a>`;
}

/** Replaces the placeholder `{count}` or `{place}` with the number. */
export function fillNumber(text: string, name: 'count' | 'place', number: number, language: Language): string {
  return text.replace(`{${name}}`, new Intl.NumberFormat(language).format(number));
}

export function shareTexts(share: Share, texts: PageTexts, language: Language): SharedLink {
  return {
    url: share.url,
    title: texts.shareTitle,
    hint: texts.shareHint,
    text: texts.shareText,
    share: texts.shareButton,
    copy: texts.copyLink,
    copied: texts.linkCopied,
    friends: fillNumber(texts.friendsJoined, 'count', share.confirmed, language),
    ...(share.place !== undefined && { place: fillNumber(texts.yourPlace, 'place', share.place, language) }),
  };
}

/** The share link as shown on the server's own pages. */
export function pageShare(share: Share, texts: PageTexts, language: Language): PageShare {
  const link = shareTexts(share, texts, language);
  if (share.place === undefined) return link;
  const { people, ...line } = drawLine(share.place);
  const scale = people === 1 ? '' : fillNumber(texts.placeScale, 'count', people, language);
  return { ...link, line: { ...line, scale } };
}

/**
 * The HTML of the link to the status page, to be placed after another link or paragraph. A page's script may add the
 * token.
 */
export function linkToStatus({ statusLink }: PageTexts): string {
  return `\n<p class="also"><a href="${STATUS_PAGE}">${escapeHtml(statusLink)}</a></p>`;
}

/** The texts for a visitor who has to confirm this address. */
export function inboxTexts(email: string, { renewedTitle, unconfirmedText, openInbox }: PageTexts): Inbox {
  const url = findWebmail(email);
  return { successTitle: renewedTitle, successText: unconfirmedText, ...(url && { link: openInbox, url }) };
}
