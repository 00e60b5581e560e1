/**
 * The meaning of a reply with which a mail server refuses an email.
 * - `no-mailbox`: the mailbox does not exist.
 * - `later`: it cannot be taken now, but perhaps later.
 * - `our-problem`: this server may not send, to anyone: the relay, the sender, the sign-in, a blocklist or a quota.
 * - `content`: this email is refused for what it contains or for its size.
 * - `unclear`: this email is refused as spam, or without a reason that is known. If several people in a row are, the problem is ours.
 */
export type Refusal = 'no-mailbox' | 'later' | 'our-problem' | 'content' | 'unclear';

/** A 4xx or 5xx reply of a mail server. */
export interface SmtpReply {
  /** The code with its text, as the server sent it: `550 5.1.1 User unknown`. May have several lines. */
  readonly text: string;
  /** The command that it replies to, as nodemailer names it: `RCPT TO`. `CONN`: the greeting. */
  readonly command: string;
}

/** Replies to other commands are about the connection, the sign-in or the sender, and never about the recipient. */
const COMMANDS_ABOUT_THE_EMAIL: readonly string[] = ['RCPT TO', 'DATA'];

const CODES = /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/;
/** Addresses and links repeat words of others: `<relay@example.org> unknown` is not about relaying. */
const NAMES = /<[^>]*>|\S+@\S+|\bhttps?:\S+/g;

/** The first rule that matches decides. `codes`: of the reply, with the enhanced code if there is one. */
const RULES: readonly { readonly codes?: RegExp; readonly text?: RegExp; readonly refusal: Refusal }[] = [
  { codes: /^4/, refusal: 'later' },
  { codes: / 5\.2\.2$/, refusal: 'later' },
  { text: /\b(?:mailbox|inbox)\b.{0,20}\b(?:full|quota|size limit)\b|over ?quota\b/i, refusal: 'later' },
  {
    text: /\bblock(?:ed using|ed by|[ -]?list)|black ?list|\b(?:dns|r)bl\b|spamhaus|spamcop|\byour ip\b|\bip address\b/i,
    refusal: 'our-problem',
  },
  { text: /\bspam\b|unsolicited|\bjunk\b|\bvirus\b|malware/i, refusal: 'unclear' },
  { codes: / 5\.(?:6\.\d+|3\.4|2\.3)$/, refusal: 'content' },
  { text: /\bmessage (?:size|is too|too|exceeds)\b|\bsize limit\b/i, refusal: 'content' },
  { codes: /^53\d| 5\.(?:7\.\d+|4\.5|1\.[78])$/, refusal: 'our-problem' },
  {
    text: /\brelay|quota|\blimit(?:s|ed)? (?:exceed|reach)|(?:sending|daily|hourly|rate) limit|too many|\bsend as\b|\bsender\b|not verified|sandbox|authenticat|dmarc|\bspf\b|suspended/i,
    refusal: 'our-problem',
  },
  { codes: / 5\.1\.(?:1|2|3|6|10)$| 5\.2\.1$/, refusal: 'no-mailbox' },
  {
    codes: /^55[013](?: 5\.[01]\.0)?$/,
    text: /(?:no|unknown|invalid|non-?existent|disabled) (?:such )?(?:user|mailbox|recipient|address|account|person)|(?:user|mailbox|recipient|address|account)\b.*(?:unknown|not found|not exist|n't exist|no longer|disabled|inactive|unavailable|invalid)|no mailbox|not a known user/i,
    refusal: 'no-mailbox',
  },
];

/** Decides what a 4xx or 5xx reply means, by its codes and its text. A reply that no rule knows never says that a mailbox does not exist. */
export function classifyReply({ text, command }: SmtpReply): Refusal {
  const [, code = '', enhanced] = CODES.exec(text) ?? [];
  const codes = enhanced === undefined ? code : `${code} ${enhanced}`;
  const words = text.replace(NAMES, ' ');
  const rule = RULES.find((rule) => (rule.codes?.test(codes) ?? true) && (rule.text?.test(words) ?? true));
  const refusal = rule?.refusal ?? 'unclear';
  const isAboutEmail = refusal === 'later' || refusal === 'content' || COMMANDS_ABOUT_THE_EMAIL.includes(command);
  return isAboutEmail ? refusal : 'our-problem';
}
