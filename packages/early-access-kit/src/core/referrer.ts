import { MAX_REFERRER_LENGTH } from './limits.ts';

/** The page that led a visitor to this site: null where there is none or where it is a page of the site itself. */
export function entryReferrer(referrer: string, ownOrigin: string): string | null {
  // With the slash, because https://a.example is no page of https://a.ex.
  const own = `${referrer}/`.startsWith(`${ownOrigin}/`);
  return own ? null : referrer.slice(0, MAX_REFERRER_LENGTH) || null;
}
