import { domainToUnicode } from 'node:url';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, controls included
const ASCII = /^[\u0000-\u007f]*$/;

/** An address as it is sent in the SMTP protocol. */
export interface WireAddress {
  readonly address: string;
  /** True if it is only accepted by mail servers that announce SMTPUTF8. */
  readonly needsSmtpUtf8: boolean;
}

/**
 * Converts a stored address for SMTP, or returns null if that would change the mailbox. The domain is converted to
 * punycode, which every mail server understands. A non-ASCII local part (`münch@…`) needs SMTPUTF8; in that case the
 * domain stays in Unicode as well.
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

export interface Mailbox {
  /** Empty if there is none. */
  readonly name: string;
  readonly address: string;
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const COMMENT = String.raw`\((?:[^()\\]|\\.)*\)`;
const NAME = `(?:[^<>"()]|${QUOTED}|${COMMENT})*`;
/** A mailbox in the syntax of RFC 5322: `hello@example.com`, `Name <hello@example.com>`, with quotes and comments. */
export const MAILBOX_PATTERN = String.raw`^(?:(${NAME})<([^<>\s]+)>|((?:${COMMENT}\s*)*)([^<>"()\s]+))((?:\s*${COMMENT})*)\s*$`;
const MAX_MAILBOX_LENGTH = 500;
/** An encoded word (RFC 2047). Settings contain plain text instead. */
const ENCODED_WORD = /=\?[^?\s]*\?[bq]\?/i;

/** Returns null for any other text. Comments are part of the name. */
export function parseMailbox(text: string): Mailbox | null {
  if (text.length > MAX_MAILBOX_LENGTH || /\p{Cc}/u.test(text)) return null;
  const [, before, inBrackets, comments = '', alone = '', after = ''] = new RegExp(MAILBOX_PATTERN).exec(text) ?? [];
  const address = inBrackets ?? alone;
  // A valid address may still be surrounded by quotes or invisible characters.
  if (!isValidEmail(address) || !/^[\w\p{L}].*[\w\p{L}.]$/u.test(address)) return null;
  const name = `${before ?? comments} ${after}`
    .replace(new RegExp(QUOTED, 'g'), (quoted) => quoted.slice(1, -1).replace(/\\(.)/g, '$1'))
    .replace(/\s+/g, ' ')
    .trim();
  return ENCODED_WORD.test(name) ? null : { name: name.replace(/^\(([^()]*)\)$/, '$1'), address };
}

/** The mailbox as a header value. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return address;
  return `${/^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, String.raw`\$&`)}"`} <${address}>`;
}
