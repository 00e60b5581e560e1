import { MAX_EMAIL_LENGTH, MAX_RAW_EMAIL_LENGTH } from './limits.ts';

/**
 * The HTML standard's pattern, minus addresses that cannot be delivered or look like another one:
 * - The local part has no punctuation with a meaning in email headers (`a<v@x.io`), no invisible characters, and no
 *   second at sign, because mail libraries disagree about which one counts.
 * - Each label of the domain has 1 to 63 letters, digits and inner hyphens, and the last one does not begin with a
 *   digit.
 */
const ADDRESS = /^[^\s@<>()[\],;:"\\\p{C}\p{DI}]+@((?!-)[a-z\d-]{0,62}[a-z\d]\.)+(?![\d-])[a-z\d-]{0,62}[a-z\d]$/u;

/**
 * Characters around an address that cannot be part of it, such as spaces, quotes, invisible characters, and a dot after
 * the domain.
 */
const AROUND = /^[^!#-&*+-9=?^-~\p{L}\p{N}]+|[^/\p{L}\p{N}]+$/gu;

/**
 * Returns the normal form in which an address is stored and compared: in lower case, without surrounding spaces,
 * invisible characters, quotes and other punctuation, with compatibility characters folded (NFKC, because domain names
 * are folded like this, too: a full-width `ｘ.io` is the mailbox at `x.io`), and with the domain in punycode without a
 * trailing dot. Returns '' for input of more than `MAX_RAW_EMAIL_LENGTH` characters. Idempotent.
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

/** Returns a domain unchanged if `URL` rejects it or would change its meaning; `isValidEmail` then rejects it. */
function normalizeDomain(domain: string): string {
  if (/^[\0-~]*$|[\p{C}/?#%:\\]/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * Returns whether a signup with this address is accepted. Browser and store use the same check.
 *
 * @example
 * isValidEmail('ada@example.com'); // true
 */
export function isValidEmail(email: string): boolean {
  const address = normalizeEmail(email);
  return address.length <= MAX_EMAIL_LENGTH && ADDRESS.test(address);
}
