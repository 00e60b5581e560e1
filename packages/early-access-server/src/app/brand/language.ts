import { findLanguage, type Language } from 'early-access-kit/messages';

/** The languages of emails and of the pages that people open from emails. */
export { findLanguage, getDirection, LANGUAGES, type Language } from 'early-access-kit/messages';

/**
 * The language of a person's email: `given`, the language of the page where they signed up, if emails exist in it.
 * Otherwise the configured one.
 */
export function chooseMailLanguage(given: string | null, setting: Language): Language {
  return (given !== null && findLanguage(given)) || setting;
}

const MAX_TAG_LENGTH = 35;

/** The primary subtag of a BCP 47 tag, such as `pt` for `pt-BR`. Null if the tag is not valid. */
export function readPrimaryTag(tag: string): string | null {
  return /^([a-z]{2,3})(-[\da-z]{1,8})*$/i.exec(tag.slice(0, MAX_TAG_LENGTH))?.[1]?.toLowerCase() ?? null;
}
