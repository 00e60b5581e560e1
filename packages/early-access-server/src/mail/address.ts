import { domainToUnicode } from 'node:url';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, controls included
const ASCII = /^[\u0000-\u007f]*$/;

/** An address as it is written on the wire. */
export interface WireAddress {
  readonly address: string;
  /** Whether only mail servers that announce SMTPUTF8 accept it. */
  readonly needsSmtpUtf8: boolean;
}

/**
 * A stored address as it is written on the wire, or null if that would name another mailbox. The domain is in punycode, which every
 * mail server understands. A non-ASCII local part (`münch@…`) needs SMTPUTF8, so then the domain is in Unicode too.
 */
export function wireAddress(stored: string): WireAddress | null {
  const normal = normalizeEmail(stored);
  const at = normal.lastIndexOf('@') + 1;
  // Earlier releases stored Unicode domains.
  const international = normal.slice(0, at) + domainToUnicode(normal.slice(at));
  if (!isValidEmail(normal) || (stored !== normal && stored !== international)) return null;
  const needsSmtpUtf8 = !ASCII.test(normal);
  return { address: needsSmtpUtf8 ? international : normal, needsSmtpUtf8 };
}

/** The bare address of a sender such as `hello@example.com` or `Name <hello@example.com>`; null for any other text. */
export function senderAddress(from: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would start another header
  const shape = /^(?:[^<>"\u0000-\u001f]*<([^<>]+)>|[^<>]+)$/.exec(from);
  const address = shape?.[1] ?? from;
  // A valid address may still be within quotes or invisible characters.
  return shape && isValidEmail(address) && /^[\w\p{L}].*[\w\p{L}.]$/u.test(address) ? address : null;
}
