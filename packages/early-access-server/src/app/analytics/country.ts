import type { SessionRecord } from 'early-access-kit/internal';

/** A session as the server stores it. */
export interface StoredSession extends SessionRecord {
  /** Two letters of ISO 3166, such as `DE`; left out if it is not known. */
  readonly country?: string;
}

/** `AA`, `QM` to `QZ`, `XA` to `XZ` and `ZZ` belong to no country in ISO 3166, but Kosovo is `XK` everywhere. */
const NO_COUNTRY = /^(?:AA|Q[M-Z]|X(?!K)[A-Z]|ZZ)$/;

/**
 * The country in the header of a platform; null if it names none, such as Cloudflare's `XX` for unknown and `T1` for
 * Tor.
 */
export function readCountry(header: string | undefined): string | null {
  const code = header?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.test(code) ? code : null;
}
