import { MAX_EMAIL_LENGTH } from './limits.ts';

/** SPEC section 5: non-space text, an at sign, non-space text, a dot, non-space text. */
const SPEC_PATTERN = /^\S+@\S+\.\S+$/;

/**
 * Characters that let one address stand for another (`a<v@x.io>`), for several, or for a second header in a mail:
 * punctuation with a meaning in mail headers, and whatever cannot be seen (controls, zero-width characters, lone surrogates).
 * A second at sign is among them, because mail libraries disagree about which one counts.
 */
const UNSAFE = /[<>()[\],;:"\\\p{C}]|@.*@/u;

/**
 * The one spelling under which an address is kept and compared: trimmed, lower-cased, and with compatibility characters folded
 * (NFKC), because domain names fold them too: a full-width `ｘ.io` is the mailbox at `x.io`.
 */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/**
 * Whether a sign-up with this address is accepted, in the browser and where it is stored alike:
 * SPEC's pattern, at most 254 characters, and nothing in it that a mail library could read as another address.
 */
export function isValidEmail(email: string): boolean {
  const address = normalizeEmail(email);
  return address.length <= MAX_EMAIL_LENGTH && SPEC_PATTERN.test(address) && !UNSAFE.test(address);
}
