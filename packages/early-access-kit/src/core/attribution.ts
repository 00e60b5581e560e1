import { MAX_PAGE_URL_LENGTH, MAX_UTM_LENGTH } from './limits.ts';
import { type Attribution, CAMPAIGN_FIELDS, type Campaign } from './records.ts';

/** The parts of a page's address that tell where a sign-up came from; `location` and `URL` have them. */
export type PageAddress = Readonly<Pick<URL, 'origin' | 'pathname' | 'search'>>;

/** What the address of a page tells, as stores accept it: no sign-up is refused for an odd link that led to it. */
export function attributionOf(page: PageAddress): Attribution {
  return { ...pageOf(page), ...campaignOf(page.search) };
}

/** The page without query and fragment, where hosts keep what is nobody else's business. Nothing for a file or a frame without an address. */
export function pageOf({ origin, pathname }: Omit<PageAddress, 'search'>): Pick<Attribution, 'page_url'> {
  return /^http/.test(origin) ? { page_url: (origin + pathname).slice(0, MAX_PAGE_URL_LENGTH) } : {};
}

/** The campaign parameters of a query that say something. */
export function campaignOf(search: string | undefined): Campaign {
  const query = new URLSearchParams(search);
  const campaign: { -readonly [Name in keyof Campaign]: Campaign[Name] } = {};
  for (const name of CAMPAIGN_FIELDS) {
    // Cut, then without control characters and without the half of a character that the cut may have left.
    const value = query
      .get(name)
      ?.slice(0, MAX_UTM_LENGTH)
      .replace(/[\p{Cc}\p{Cs}]/gu, '');
    if (value) campaign[name] = value;
  }
  return campaign;
}
