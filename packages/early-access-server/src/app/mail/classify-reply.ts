/**
 * The meaning of a mail server's 4xx or 5xx reply.
 * - `no-mailbox`: the mailbox does not exist.
 * - `later`: the mailbox cannot accept the email now, but may later.
 * - `unreachable`: the mail server cannot be reached or accepts no email now. Says nothing about the recipient.
 * - `our-problem`: this server may not send to anyone, because its sign-in, sender or account is rejected.
 * - `perhaps-ours`: the email is rejected for the relay, the sender, a blocklist, a policy or a quota, either by
 *   everyone or by this recipient alone. Only another recipient shows which.
 * - `content`: the email is rejected for its content or size.
 * - `unclear`: the email is rejected as spam, or for no known reason. If several people in a row reject it, the problem
 *   is ours.
 */
export type Refusal = 'no-mailbox' | 'later' | 'unreachable' | 'our-problem' | 'perhaps-ours' | 'content' | 'unclear';

export interface SmtpReply {
  /**
   * The codes and their text as received: `550 5.1.1 User unknown`. May have several lines. In a provider's report the
   * codes may follow the protocol (`smtp;`), or one or both of them may be missing.
   */
  readonly text: string;
  /** The command that was rejected, in nodemailer's notation: `RCPT TO`. `CONN` is the greeting. */
  readonly command: string;
}

/** Replies to other commands concern the connection, the sign-in or the sender, never the recipient. */
const COMMANDS_ABOUT_THE_EMAIL: readonly string[] = ['RCPT TO', 'DATA'];

/** Only the beginning of a reply is read; RFC 5321 limits a line to 512 characters. */
const MAX_CHARACTERS = 4_096;

const CODES = /^\W*(?:[a-z-]+;\s*)?(?:([45]\d\d)(?![\d.]))?[ -]*#?(?:([245]\.\d{1,3}\.\d{1,3})(?![\d.]))?/i;
/**
 * Addresses, links and bracketed names are ignored because their words mean nothing: `<relay@example.org> unknown` is
 * not about relaying.
 */
const NAMES = /<[^>]*>|\[[^\]]*\]|\S+@\S+|\b(?:https?:|www\.)\S+/gi;

/**
 * RFC 3463, 7504 and 7505: the mailbox, its host or its syntax is invalid, it has moved or is disabled, or its domain
 * accepts no email.
 */
const NO_MAILBOX_CODES = /^5\.1\.(?:[1236]|10)$|^5\.2\.1$/;
const SECURITY_CODES = /^5\.7\./;
const CONTENT_CODES = /^5\.6\.|^5\.3\.4$/;
const SIGN_IN_CODES = /^53[0458]$/;

// What a reply is about. If it is about anything but the mailbox, it never means `no-mailbox`.
const ABOUT_ROOM = /\bfull\b|over ?quota|\bstorage\b|box\b.{0,20}(?:quota|size)/i;
const ABOUT_SIZE = /\bsize\b|\btoo large\b/i;
const ABOUT_CONTENT = /spam|unsolicited|virus|content|attach/i;
const ABOUT_TIME = /temporar|\blater|\bagain\b|\btime|\brate\b/i;
const ABOUT_US =
  /relay(?! recipient table)|\bsend(?:er|ing)|\byour (?!e?-?mail|message)|\bip\b|\bdns|bl[ao]ck|\bspf\b|auth[eo]|polic|permi[ts]|allowed|quota|limit|too many|\bfrom\b(?! \d)|\breturn|client/i;
/** Sent by providers if the account may not send anything, or only to its owner. */
export const ABOUT_OUR_ACCOUNT =
  /\byour (?:\w+ )?account\b|\bsending (?!to\b).*\baccount\b|\b(?:trial|demo) (?:account|domain)s?\b|\bonly\b.*\b(?:own|test\w*)\b|\bnot verified\b/i;

/** A statement that the mailbox does not exist: no user, unknown user, user does not exist, user is disabled. */
const MAILBOX = '(?:users?|(?:mail ?|in)?box|recipients?|address(?:ee)?|accounts?|customer)';
const ABSENT = '(?:unknown|invalid|non-?existent|unroute?able|disabled|inactive|unavailable)';
const NO_MAILBOX_WORDS = new RegExp(
  [
    `\\b(?:no|not (?:an?|our)|${ABSENT}) (?:(?:such|valid|known) )*${MAILBOX}\\b`,
    `\\b${MAILBOX}\\b.*(?:\\b${ABSENT}\\b|\\bno longer\\b|(?:\\bnot|n['o]t) (?:be )?(?:found|valid|known|exist|have a))`,
  ].join('|'),
  'i',
);
/** The reply of Microsoft 365 for an address that is not in the recipient's directory. */
const NOT_IN_DIRECTORY = /^recipient address rejected: access denied/im;

/**
 * Classifies a 4xx or 5xx reply by its codes and text. This is the only place that does. A reply that is not understood
 * is `unclear`, never `no-mailbox`.
 */
export function classifyReply({ text, command }: SmtpReply): Refusal {
  const { replies, codes, words } = readReply(text);
  const is = (expression: RegExp) => expression.test(words);
  const has = (expression: RegExp) => codes.some((code) => expression.test(code));
  const isAboutEmail = COMMANDS_ABOUT_THE_EMAIL.includes(command);
  // 421 (service not available, closing the connection) may be the reply to any command.
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
  // Only 55x concerns the mailbox (RFC 5321). 521 means that the host accepts no email; 551 that the user is not local.
  const isAboutMailbox = reply === undefined || reply.startsWith('55');
  const isSaidByCode =
    codes.length === 0 ? reply === '551' : isAboutMailbox && has(NO_MAILBOX_CODES) && !has(SECURITY_CODES);
  return isSaidByCode || words.split(/[.;:!?\n]/).some((clause) => NO_MAILBOX_WORDS.test(clause));
}

/** Returns the codes of all lines, and the text without codes and without the names it repeats. */
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
