/** A run of characters without a delimiter of URLs, JSON or sentences. Found in linear time. */
const WORD = /[^\s"'`<>()[\],:;=/\\?#&]+/g;
/** Also as URLs encode it. */
const AT = /@|%(?:25)*40/;

/**
 * The text without anything that may be an email address, except `own`: for readers who may see figures only. A campaign
 * of a link or a path can contain an address, too.
 */
export function withoutAddresses(text: string, own: string | null): string {
  return text.replaceAll(WORD, (word) => (AT.test(word) && word !== own ? '[address]' : word));
}
