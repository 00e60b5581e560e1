import { MAX_EMAIL_LENGTH, MAX_RAW_EMAIL_LENGTH } from './limits.ts';

/**
 * SPEC's pattern, less what cannot be delivered or looks like another address:
 * - The local part has no punctuation with a meaning in email headers (`a<v@x.io`), no invisible characters, and no
 *   second at sign,
 *   because mail libraries disagree about which one counts.
 * - Each label of the domain has 1 to 63 letters, digits and inner hyphens, and the last one does not begin with a
 *   digit.
 */
const ADDRESS = /^[^\s@<>()[\],;:"\\\p{C}\p{DI}]+@((?!-)[a-z\d-]{0,62}[a-z\d]\.)+(?![\d-])[a-z\d-]{0,62}[a-z\d]$/u;

/**
 * Everything around an address that cannot be a part of one, such as spaces, quotes, invisible characters, and the dot
 * after a domain.
 */
const AROUND = /^[^!#-&*+-9=?^-~\p{L}\p{N}]+|[^/\p{L}\p{N}]+$/gu;

/**
 * Returns the normal form in which an address is stored and compared: lower case, without the spaces, invisible
 * characters, quotes and other punctuation around it, compatibility characters folded (NFKC, because domain names fold
 * them too: a full-width `ｘ.io` is the mailbox at `x.io`), the domain in punycode without a trailing dot. Returns ''
 * for input of more than `MAX_RAW_EMAIL_LENGTH` characters. Idempotent.
 *
 * @example
 * normalizeEmail(' Ada@Example.COM '); // 'ada@example.com'
 */
export function normalizeEmail(email: string): string {
  // Check the length first: NFKC takes quadratic time on runs of combining marks.
  if (email.length > MAX_RAW_EMAIL_LENGTH) return '';
  return email
    .normalize('NFKC')
    .toLowerCase()
    .replace(AROUND, '')
    .replace(/[^@]*$/, normalizeDomain);
}

/**
 * Returns a domain unchanged if `URL` rejects it or would read it as something else; `isValidEmail` then rejects it.
 */
function normalizeDomain(domain: string): string {
  if (/^[\0-~]*$|[\p{C}/?#%:\\]/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * Returns whether a signup with this address is accepted, by the browser and the store alike.
 *
 * @example
 * isValidEmail('ada@example.com'); // true
 */
export function isValidEmail(email: string): boolean {
  const address = normalizeEmail(email);
  return address.length <= MAX_EMAIL_LENGTH && ADDRESS.test(address);
}
