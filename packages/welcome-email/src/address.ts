import { domainToASCII, domainToUnicode } from 'node:url';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, controls included
const ASCII = /^[\u0000-\u007f]*$/;

/** An address in the form in which it travels. */
export interface WireAddress {
  readonly address: string;
  /** Whether only mail servers that announce SMTPUTF8 can take it. */
  readonly needsSmtpUtf8: boolean;
}

/**
 * The form in which a stored address travels, or null where it cannot travel as the very same mailbox.
 *
 * It travels letter for letter, but for one case: an international domain behind an ASCII name becomes punycode, which every
 * mail server understands (`ada@bücher.example` as `ada@xn--bcher-kva.example`), and only where that turns back into the domain
 * that is stored. An international name (`münch@…`) stays as it is, domain included, and needs SMTPUTF8.
 */
export function wireAddress(stored: string): WireAddress | null {
  if (!isValidEmail(stored) || normalizeEmail(stored) !== stored) return null;
  const at = stored.lastIndexOf('@');
  const [name, domain] = [stored.slice(0, at), stored.slice(at + 1)];
  if (!ASCII.test(name)) return { address: stored, needsSmtpUtf8: true };
  if (ASCII.test(domain)) return { address: stored, needsSmtpUtf8: false };
  const punycode = domainToASCII(domain);
  return domainToUnicode(punycode) === domain ? { address: `${name}@${punycode}`, needsSmtpUtf8: false } : null;
}
