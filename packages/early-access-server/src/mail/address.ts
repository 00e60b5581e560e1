import { domainToUnicode } from 'node:url';
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
 * The form in which a stored address travels, or null if it cannot travel as the very same mailbox: with the domain in punycode, which
 * every mail server understands. An international name (`münch@…`) needs SMTPUTF8, and travels with its domain in its own script.
 */
export function wireAddress(stored: string): WireAddress | null {
  const normal = normalizeEmail(stored);
  const at = normal.lastIndexOf('@') + 1;
  // Also what earlier releases stored.
  const international = normal.slice(0, at) + domainToUnicode(normal.slice(at));
  if (!isValidEmail(normal) || (stored !== normal && stored !== international)) return null;
  const needsSmtpUtf8 = !ASCII.test(normal);
  return { address: needsSmtpUtf8 ? international : normal, needsSmtpUtf8 };
}
