/** Characters between delimiters of URLs, JSON and sentences. Matches in linear time. */
const WORD = /[^\s"'`<>()[\],:;=/\\?#&]+/g;
/** An at sign, possibly URL-encoded several times. */
const AT = /@|%(?:25)*40/;

/**
 * Removes everything that may be an email address, except `own`, for readers who may only see figures. Even campaign
 * names and paths can contain addresses.
 */
export function withoutAddresses(text: string, own: string | null): string {
  return text.replaceAll(WORD, (word) => (AT.test(word) && word !== own ? '[address]' : word));
}
