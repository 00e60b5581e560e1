import type { MAX_PAGE_URL_LENGTH, MAX_REFERRER_LENGTH, MAX_UTM_LENGTH } from './limits.ts';
import type { Attribution, Campaign } from './records.ts';

// The limits are literals that types check, because some bundlers keep a constant as a variable.

/** The parts of a URL that attribution is read from. `location` and `URL` have them. */
export type PageAddress = Readonly<Pick<URL, 'origin' | 'pathname' | 'search'>>;

/** Returns the attribution in a page's URL. Stores always accept it, so an odd link never causes a rejected signup. */
export function attributionOf(page: PageAddress): Attribution {
  return { ...pageOf(page), ...campaignOf(page.search) };
}

/**
 * Returns the page without query and fragment, which may contain private data. Returns nothing for a file or a frame
 * without a URL.
 */
export function pageOf({ origin, pathname }: Omit<PageAddress, 'search'>): Pick<Attribution, 'page_url'> {
  return /^http/.test(origin)
    ? { page_url: (origin + pathname).slice(0, 2_048 satisfies typeof MAX_PAGE_URL_LENGTH) }
    : {};
}

/**
 * Returns the non-empty campaign parameters of a query, ignoring the case of their names. `ref`, which directories and
 * newsletters add to links, is the source if `utm_source` is missing.
 */
export function campaignOf(search: string | undefined): Campaign {
  const found: Record<string, string> = {};
  for (const [key, text] of new URLSearchParams(search)) {
    const name = key.toLowerCase();
    const value = text.slice(0, 256 satisfies typeof MAX_UTM_LENGTH).replace(/[\p{Cc}\p{Cs}]/gu, '');
    if (value && /^(ref|utm_(source|medium|campaign|term|content))$/.test(name)) found[name] ??= value;
  }
  const { ref, ...campaign } = found;
  return ref ? { utm_source: ref, ...campaign } : campaign;
}

/** Returns the page that linked to this site; null if there is none or if it is a page of the site itself. */
export function entryReferrer(referrer: string, ownOrigin: string): string | null {
  // The slash is needed, because https://a.example is not a page of https://a.ex.
  const own = `${referrer}/`.startsWith(`${ownOrigin}/`);
  return own ? null : referrer.slice(0, 2_048 satisfies typeof MAX_REFERRER_LENGTH) || null;
}
