import { MAX_REFERRER_LENGTH } from './limits.ts';

/** Returns the page that linked to this site; null if there is none or if it is a page of the site itself. */
export function entryReferrer(referrer: string, ownOrigin: string): string | null {
  // The slash is needed, because https://a.example is not a page of https://a.ex.
  const own = `${referrer}/`.startsWith(`${ownOrigin}/`);
  return own ? null : referrer.slice(0, MAX_REFERRER_LENGTH) || null;
}
