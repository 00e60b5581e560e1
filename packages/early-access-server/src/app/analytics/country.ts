import type { SessionRecord } from 'early-access-kit/internal';

/** A session as stored by the server. */
export interface StoredSession extends SessionRecord {
  /** ISO 3166 two-letter code, such as `DE`. Left out if unknown. */
  readonly country?: string;
}

/**
 * ISO 3166 assigns `AA`, `QM` to `QZ`, `XA` to `XZ` and `ZZ` to no country. `XK` is an exception: it is commonly used
 * for Kosovo.
 */
const NO_COUNTRY = /^(?:AA|Q[M-Z]|X(?!K)[A-Z]|ZZ)$/;

/**
 * Reads the country from a platform's header. Null if it contains none, such as Cloudflare's `XX` (unknown) and `T1`
 * (Tor).
 */
export function readCountry(header: string | undefined): string | null {
  const code = header?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.test(code) ? code : null;
}
