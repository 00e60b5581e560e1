/** Enough for any page. Checked before the URL is parsed. */
const MAX_URL_LENGTH = 2_048;

/** The URL to redirect to, or the origin that was refused (`malformed` if there is none). */
export type SuccessPage = { readonly url: string } | { readonly refused: string };

/**
 * Decides whether a form without scripts may redirect to the requested page after a successful signup. `given` is a
 * URL, absolute or relative to `base`. Foreign origins are refused, so that forms cannot be used as open redirects.
 * URLs with an email address are refused because URLs get logged.
 */
export function judgeSuccessPage(given: string, base: string, isAllowed: (origin: string) => boolean): SuccessPage {
  const url = given.length <= MAX_URL_LENGTH ? URL.parse(given, base) : null;
  const isPage = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
  if (!isPage || namesAddress(url)) return { refused: 'malformed' };
  return isAllowed(url.origin) ? { url: url.href } : { refused: url.origin };
}

/** A path segment that starts with an at sign is an account name, not an address: `/@acme`. */
function namesAddress({ pathname, searchParams }: URL): boolean {
  return [...searchParams, pathname.split('/')].flat().some((part) => /\S(?:@|%40)\S/i.test(part));
}
