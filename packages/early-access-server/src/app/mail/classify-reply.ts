/**
 * The meaning of a reply with which a mail server refuses an email.
 * - `no-mailbox`: the mailbox does not exist.
 * - `later`: the mailbox cannot take it now, but perhaps later.
 * - `unreachable`: the mail server cannot be reached, or accepts no email now. Says nothing about the recipient.
 * - `our-problem`: this server may not send, to anyone: the sign-in, the sender or the account is refused.
 * - `perhaps-ours`: this email is refused for the relay, the sender, a blocklist, a policy or a quota: either for
 *   everyone or by this
 *   recipient alone. Only another recipient shows which.
 * - `content`: this email is refused for what it contains or for its size.
 * - `unclear`: this email is refused as spam, or without a reason that is known. If several people in a row are, the
 *   problem is ours.
 */
export type Refusal = 'no-mailbox' | 'later' | 'unreachable' | 'our-problem' | 'perhaps-ours' | 'content' | 'unclear';

export interface SmtpReply {
  /**
   * The codes with their text, as the server sent them: `550 5.1.1 User unknown`. May have several lines. A provider's
   * report may have the protocol before the codes (`smtp;`), an enhanced code alone, or neither.
   */
  readonly text: string;
  /** The command that it replies to, as nodemailer names it: `RCPT TO`. `CONN`: the greeting. */
  readonly command: string;
}

/** Replies to other commands are about the connection, the sign-in or the sender, and never about the recipient. */
const COMMANDS_ABOUT_THE_EMAIL: readonly string[] = ['RCPT TO', 'DATA'];

/** Only the beginning of a reply is read: RFC 5321 limits a line to 512 characters. */
const MAX_CHARACTERS = 4_096;

const CODES = /^\W*(?:[a-z-]+;\s*)?(?:([45]\d\d)(?![\d.]))?[ -]*#?(?:([245]\.\d{1,3}\.\d{1,3})(?![\d.]))?/i;
/** Addresses, links and bracketed names repeat words of others: `<relay@example.org> unknown` is not about relaying. */
const NAMES = /<[^>]*>|\[[^\]]*\]|\S+@\S+|\b(?:https?:|www\.)\S+/gi;

/**
 * RFC 3463, 7504 and 7505: the mailbox, its system or its syntax is wrong, it has moved or is disabled, or its domain
 * takes no email.
 */
const NO_MAILBOX_CODES = /^5\.1\.(?:[1236]|10)$|^5\.2\.1$/;
const SECURITY_CODES = /^5\.7\./;
const CONTENT_CODES = /^5\.6\.|^5\.3\.4$/;
const SIGN_IN_CODES = /^53[0458]$/;

// The subjects of replies. A reply about anything but the mailbox never says that there is none.
const ABOUT_ROOM = /\bfull\b|over ?quota|\bstorage\b|box\b.{0,20}(?:quota|size)/i;
const ABOUT_SIZE = /\bsize\b|\btoo large\b/i;
const ABOUT_CONTENT = /spam|unsolicited|virus|content|attach/i;
const ABOUT_TIME = /temporar|\blater|\bagain\b|\btime|\brate\b/i;
const ABOUT_US =
  /relay(?! recipient table)|\bsend(?:er|ing)|\byour (?!e?-?mail|message)|\bip\b|\bdns|bl[ao]ck|\bspf\b|auth[eo]|polic|permi[ts]|allowed|quota|limit|too many|\bfrom\b(?! \d)|\breturn|client/i;
/** Providers say this about an account that may send nothing, or only to the address of its owner. */
export const ABOUT_OUR_ACCOUNT =
  /\byour (?:\w+ )?account\b|\bsending (?!to\b).*\baccount\b|\b(?:trial|demo) (?:account|domain)s?\b|\bonly\b.*\b(?:own|test\w*)\b|\bnot verified\b/i;

/** A statement that there is no such mailbox: no user, unknown user, user does not exist, user is disabled. */
const MAILBOX = '(?:users?|(?:mail ?|in)?box|recipients?|address(?:ee)?|accounts?|customer)';
const ABSENT = '(?:unknown|invalid|non-?existent|unroute?able|disabled|inactive|unavailable)';
const NO_MAILBOX_WORDS = new RegExp(
  [
    `\\b(?:no|not (?:an?|our)|${ABSENT}) (?:(?:such|valid|known) )*${MAILBOX}\\b`,
    `\\b${MAILBOX}\\b.*(?:\\b${ABSENT}\\b|\\bno longer\\b|(?:\\bnot|n['o]t) (?:be )?(?:found|valid|known|exist|have a))`,
  ].join('|'),
  'i',
);
/** Microsoft 365 says this if the directory of the recipient's domain does not have the address. */
const NOT_IN_DIRECTORY = /^recipient address rejected: access denied/im;

/**
 * Decides what a 4xx or 5xx reply means, by its codes and its text, and is the only place that does. A reply that it
 * does not understand is `unclear`: it never says that a mailbox does not exist.
 */
export function classifyReply({ text, command }: SmtpReply): Refusal {
  const { replies, codes, words } = readReply(text);
  const is = (expression: RegExp) => expression.test(words);
  const has = (expression: RegExp) => codes.some((code) => expression.test(code));
  const isAboutEmail = COMMANDS_ABOUT_THE_EMAIL.includes(command);
  // 421: the service is not available and closes the connection, after any command.
  if (replies.includes('421')) return 'unreachable';
  if ([...replies, ...codes].some((code) => code.startsWith('4'))) return isAboutEmail ? 'later' : 'unreachable';
  const isTooLarge = has(CONTENT_CODES) || (is(ABOUT_SIZE) && !is(ABOUT_ROOM));
  if (!isAboutEmail) return isTooLarge ? 'content' : 'our-problem';
  if (has(/^5\.2\.2$/) || (has(/^5\.2\.\d+$/) && is(ABOUT_TIME)) || (is(ABOUT_ROOM) && !has(SECURITY_CODES)))
    return 'later';
  if (replies.some((code) => SIGN_IN_CODES.test(code)) || is(ABOUT_OUR_ACCOUNT)) return 'our-problem';
  if (isTooLarge) return 'content';
  if (saysNoMailbox(replies, codes, words)) return 'no-mailbox';
  if (is(ABOUT_US)) return 'perhaps-ours';
  return has(SECURITY_CODES) && !is(ABOUT_CONTENT) ? 'perhaps-ours' : 'unclear';
}

function saysNoMailbox(replies: readonly string[], codes: readonly string[], words: string): boolean {
  const [reply] = replies;
  const has = (expression: RegExp) => codes.some((code) => expression.test(code));
  if (has(/^5\.4\.1$/) && NOT_IN_DIRECTORY.test(words)) return true;
  if ([ABOUT_US, ABOUT_CONTENT, ABOUT_SIZE, ABOUT_TIME].some((subject) => subject.test(words))) return false;
  // Only 55x is about the mailbox (RFC 5321): 521 refuses all email. 551: the user is not local.
  const isAboutMailbox = reply === undefined || reply.startsWith('55');
  const isSaidByCode =
    codes.length === 0 ? reply === '551' : isAboutMailbox && has(NO_MAILBOX_CODES) && !has(SECURITY_CODES);
  return isSaidByCode || words.split(/[.;:!?\n]/).some((clause) => NO_MAILBOX_WORDS.test(clause));
}

/** The codes of all lines, and the text without them and without the names that it repeats. */
function readReply(text: string) {
  const lines = text
    .slice(0, MAX_CHARACTERS)
    .split(/[\r\n]+/)
    .map((line) => {
      const [codes = '', reply, enhanced] = CODES.exec(line) ?? [];
      return { reply, enhanced, words: line.slice(codes.length).replaceAll(NAMES, ' ') };
    });
  // qmail writes the enhanced code after the text.
  const last = Array.from(
    text.slice(0, MAX_CHARACTERS).matchAll(/\(#([245]\.\d{1,3}\.\d{1,3})\b/g),
    ([, code]) => code,
  );
  return {
    replies: lines.flatMap(({ reply }) => reply ?? []),
    codes: [...lines.map(({ enhanced }) => enhanced), ...last].flatMap((code) => code ?? []),
    words: lines.map(({ words }) => words.replace(/^[\W_]+/, '')).join('\n'),
  };
}
