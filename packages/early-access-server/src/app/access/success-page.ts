/** Enough for any page, and bounded before it is parsed. */
const MAX_URL_LENGTH = 2_048;

/** The page that a form leads to, or the origin that may not be led to, `malformed` if it has none. */
export type SuccessPage = { readonly url: string } | { readonly refused: string };

/**
 * Decides whether a form without scripts may lead to the page that it asks for after a success. `given`: a URL, or one
 * relative to `base`. A page of another origin is refused, so that no link to a form leads people elsewhere, and so is a
 * URL with an email address, which would be in logs.
 */
export function judgeSuccessPage(given: string, base: string, isAllowed: (origin: string) => boolean): SuccessPage {
  const url = given.length <= MAX_URL_LENGTH ? URL.parse(given, base) : null;
  const isPage = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
  if (!isPage || namesAddress(url)) return { refused: 'malformed' };
  return isAllowed(url.origin) ? { url: url.href } : { refused: url.origin };
}

/** A part of a path that begins with an at sign is an account: `/@acme`. */
function namesAddress({ pathname, searchParams }: URL): boolean {
  return [...searchParams, pathname.split('/')].flat().some((part) => /\S(?:@|%40)\S/i.test(part));
}
