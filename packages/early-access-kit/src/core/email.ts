import { MAX_EMAIL_LENGTH, MAX_RAW_EMAIL_LENGTH } from './limits.ts';

/** Non-space text, an at sign, non-space text, a dot, non-space text. */
const SPEC_PATTERN = /^\S+@\S+\.\S+$/;

/**
 * Characters that make one address look like another (`a<v@x.io>`), like several, or like a second header in an email: punctuation with
 * a meaning in email headers, and invisible characters (controls, zero-width characters, lone surrogates). A second at sign is
 * included, because mail libraries disagree about which one counts.
 */
const UNSAFE = /[<>()[\],;:"\\\p{C}]|@.*@/u;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns the normal form in which an address is stored and compared: trimmed, lower case, compatibility characters folded (NFKC,
 * because domain names fold them too: a full-width `ｘ.io` is the mailbox at `x.io`), the domain in punycode without a trailing dot.
 * Returns '' for input of more than `MAX_RAW_EMAIL_LENGTH` characters. Idempotent.
 */
export function normalizeEmail(email: string): string {
  // Check the length first: NFKC takes quadratic time on runs of combining marks.
  if (email.length > MAX_RAW_EMAIL_LENGTH) return '';
  const address = email.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + normalizeDomain(address.slice(at)).replace(/([^.\s@])\.$/, '$1');
}

/** Returns a domain unchanged if `URL` rejects it or would read it as something else; `isValidEmail` then rejects it. */
function normalizeDomain(domain: string): string {
  if (!NOT_ASCII.test(domain) || /[/?#%:\\\p{C}]/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * Returns whether a signup with this address is accepted, by the browser and the store alike: text, an at sign and a domain with a dot
 * and an ASCII form, at most 254 characters, and nothing that a mail library could read as another address.
 */
export function isValidEmail(email: string): boolean {
  const address = normalizeEmail(email);
  return (
    address.length <= MAX_EMAIL_LENGTH &&
    SPEC_PATTERN.test(address) &&
    !UNSAFE.test(address) &&
    !NOT_ASCII.test(address.slice(address.indexOf('@')))
  );
}
