import { findLanguage, type Language } from 'early-access-kit/messages';

/** The languages of emails and of the pages that people open without the site. */
export { findLanguage, getDirection, LANGUAGES, type Language } from 'early-access-kit/messages';

/**
 * The language of an email to a person: that of the page on which they signed up, which is `given`, if the emails are
 * written in it. Null or unknown: that of the setting.
 */
export function chooseMailLanguage(given: string | null, setting: Language): Language {
  return (given !== null && findLanguage(given)) || setting;
}

const MAX_TAG_LENGTH = 35;

/** The primary tag of a BCP 47 tag, such as `pt` of `pt-BR`; null if it is not valid. */
export function readPrimaryTag(tag: string): string | null {
  return /^([a-z]{2,3})(-[\da-z]{1,8})*$/i.exec(tag.slice(0, MAX_TAG_LENGTH))?.[1]?.toLowerCase() ?? null;
}
