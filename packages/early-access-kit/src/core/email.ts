import { MAX_EMAIL_LENGTH, MAX_RAW_EMAIL_LENGTH } from './limits.ts';

/** Non-space text, an at sign, non-space text, a dot, non-space text. */
const SPEC_PATTERN = /^\S+@\S+\.\S+$/;

/**
 * Characters that let one address stand for another (`a<v@x.io>`), for several, or for a second header in a mail:
 * punctuation with a meaning in mail headers, and whatever cannot be seen (controls, zero-width characters, lone surrogates).
 * A second at sign is among them, because mail libraries disagree about which one counts.
 */
const UNSAFE = /[<>()[\],;:"\\\p{C}]|@.*@/u;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The normal form under which an address is stored and compared: trimmed, lower case, compatibility characters folded (NFKC, because
 * domain names fold them too: a full-width `ｘ.io` is the mailbox at `x.io`), the domain in punycode without a trailing dot.
 * Returns '' for input of more than `MAX_RAW_EMAIL_LENGTH` characters. Normalising the normal form changes nothing.
 */
export function normalizeEmail(email: string): string {
  // Before any work on it: NFKC takes quadratic time on runs of combining marks.
  if (email.length > MAX_RAW_EMAIL_LENGTH) return '';
  const address = email.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + normalizeDomain(address.slice(at)).replace(/([^.\s@])\.$/, '$1');
}

/** A domain that `URL` refuses, or would read as something else, is returned unchanged; `isValidEmail` refuses it. */
function normalizeDomain(domain: string): string {
  if (!NOT_ASCII.test(domain) || /[/?#%:\\\p{C}]/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * Whether a signup with this address is accepted, in the browser and where it is stored alike: text, an at sign and a domain with a dot
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
