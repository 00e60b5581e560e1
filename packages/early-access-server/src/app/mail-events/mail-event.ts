import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { classifyReply, type Refusal } from '../mail/classify-reply.ts';
import { readField, readString } from '../signup/read-field.ts';

/** The mail providers whose reports about emails are understood, as their routes name them. */
export const MAIL_PROVIDERS = ['ses', 'postmark', 'resend', 'mailgun', 'brevo'] as const;
export type MailProvider = (typeof MAIL_PROVIDERS)[number];

/** The part of a report that says where it comes from. */
export interface MailReportOrigin {
  /** Whether the person reported spam. */
  readonly isComplaint: boolean;
  /** The key in the Message-ID of the email; null if the report does not repeat it. */
  readonly messageKey: string | null;
}

/** The fate of an email that a provider learned after it had accepted the email. */
export interface MailEvent extends MailReportOrigin {
  /** Valid and normalized. */
  readonly email: string;
  /** `bounce`: the mailbox does not exist. `unsubscribe`: the person reported spam, or unsubscribed at the provider. */
  readonly event: 'bounce' | 'unsubscribe';
}

/** Reads the events of a provider's report. Returns none for soft bounces, for other reports, and for input that is no report. */
export const PARSE_MAIL_EVENTS: Readonly<Record<MailProvider, (body: unknown) => readonly MailEvent[]>> = {
  ses: (body) => withMessage(parseSes(body), readField(readField(body, 'mail'), 'commonHeaders'), 'messageId'),
  // Postmark and Resend report by ids that they make themselves.
  postmark: parsePostmark,
  resend: parseResend,
  mailgun: (body) => {
    const message = readField(readField(body, 'event-data'), 'message');
    return withMessage(parseMailgun(body), readField(message, 'headers'), 'message-id');
  },
  brevo: (body) =>
    readList(Array.isArray(body) ? body : [body]).flatMap((item) => withMessage(parseBrevo(item), item, 'message-id')),
};

/** The events of a report that repeats the Message-ID in this field, which providers may have replaced by one that they made. */
function withMessage(events: readonly MailEvent[], headers: unknown, name: string): readonly MailEvent[] {
  const [, messageKey = null] = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/.exec(readString(headers, name)) ?? [];
  return events.map((event) => ({ ...event, messageKey }));
}

/** `body`: the message of the notification, as SES writes it. */
function parseSes(body: unknown): readonly MailEvent[] {
  const type = readField(body, 'eventType') ?? readField(body, 'notificationType');
  const [bounce, complaint] = [readField(body, 'bounce'), readField(body, 'complaint')];
  if (type === 'Bounce' && readField(bounce, 'bounceType') === 'Permanent') {
    return readList(readField(bounce, 'bouncedRecipients')).flatMap((recipient) => {
      const reply = [readString(recipient, 'status'), readString(recipient, 'diagnosticCode')];
      return reportBounce(readString(recipient, 'emailAddress'), reply);
    });
  }
  if (type !== 'Complaint' || readField(complaint, 'complaintFeedbackType') === 'not-spam') return [];
  return readList(readField(complaint, 'complainedRecipients')).flatMap((recipient) =>
    report('complaint', readString(recipient, 'emailAddress')),
  );
}

/** Complaints in broadcast streams arrive as changes of subscription alone. */
function parsePostmark(body: unknown): readonly MailEvent[] {
  if (readField(body, 'RecordType') !== 'SubscriptionChange') {
    const [type, email] = [readField(body, 'Type'), readString(body, 'Email')];
    if (type === 'HardBounce') return reportBounce(email, [readString(body, 'Details')]);
    if (type === 'SpamComplaint') return report('complaint', email);
    return type === 'Unsubscribe' ? report('unsubscribe', email) : [];
  }
  if (readField(body, 'SuppressSending') !== true) return [];
  const [reason, email] = [readField(body, 'SuppressionReason'), readString(body, 'Recipient')];
  if (reason === 'HardBounce') return report('bounce', email);
  const isPersons = reason === 'ManualSuppression' && readField(body, 'Origin') === 'Recipient';
  if (reason === 'SpamComplaint') return report('complaint', email);
  return isPersons ? report('unsubscribe', email) : [];
}

function parseResend(body: unknown): readonly MailEvent[] {
  const [type, data] = [readField(body, 'type'), readField(body, 'data')];
  // The report does not say which of several recipients it is about. This server's emails have one.
  const [email, ...others] = readList(readField(data, 'to'));
  if (typeof email !== 'string' || others.length > 0) return [];
  if (type === 'email.complained') return report('complaint', email);
  const bounce = readField(data, 'bounce');
  const isPermanent = (readField(bounce, 'type') ?? 'Permanent') === 'Permanent';
  return type === 'email.bounced' && isPermanent ? reportBounce(email, [readString(bounce, 'message')]) : [];
}

/** The reasons of a permanent failure that are about the mailbox or the person. `old`, for instance, means that Mailgun gave up. */
const MAILGUN_REASONS: Readonly<Record<string, ReportedEvent>> = {
  bounce: 'bounce',
  'delayed-bounce': 'bounce',
  'suppress-bounce': 'bounce',
  'suppress-complaint': 'unsubscribe',
  'suppress-unsubscribe': 'unsubscribe',
};

function parseMailgun(body: unknown): readonly MailEvent[] {
  const data = readField(body, 'event-data');
  const [event, email] = [readField(data, 'event'), readString(data, 'recipient')];
  if (event === 'complained') return report('complaint', email);
  if (event === 'unsubscribed') return report('unsubscribe', email);
  if (event !== 'failed' || readField(data, 'severity') !== 'permanent') return [];
  const status = readField(data, 'delivery-status');
  const meaning = readField(MAILGUN_REASONS, readString(data, 'reason'));
  if (meaning === 'unsubscribe') return report('unsubscribe', email);
  if (meaning !== 'bounce' || readField(status, 'bounce-type') === 'soft') return [];
  return reportBounce(email, [readString(status, 'enhanced-code'), readString(status, 'message')]);
}

function parseBrevo(item: unknown): readonly MailEvent[] {
  const [event, email] = [readField(item, 'event'), readString(item, 'email')];
  if (event === 'hard_bounce') return reportBounce(email, [readString(item, 'reason')]);
  if (event === 'spam') return report('complaint', email);
  return event === 'unsubscribed' ? report('unsubscribe', email) : [];
}

/**
 * `reply`: what the provider repeats of the mail server's reply. Providers call replies permanent that blame the sender, the content or a full
 * mailbox, too. If a reply does not say why, the provider is right.
 */
function reportBounce(email: string, reply: readonly string[]): readonly MailEvent[] {
  const isOfMailbox = reply.every((part) => ['no-mailbox', 'unclear'].includes(classifyReport(part)));
  return isOfMailbox ? report('bounce', email) : [];
}

/** A part of a report may begin with the protocol, `smtp;`, and may lack the code of the reply, which was permanent. */
function classifyReport(part: string): Refusal {
  const reply = part.replace(/^\s*(?:[\w-]+;\s*)?/, '');
  return classifyReply({ text: /^\d{3}\b/.test(reply) ? reply : `550 ${reply}`, command: 'RCPT TO' });
}

type ReportedEvent = MailEvent['event'] | 'complaint';

function report(reported: ReportedEvent, address: string): readonly MailEvent[] {
  const email = normalizeEmail(address);
  const isComplaint = reported === 'complaint';
  const event = isComplaint ? 'unsubscribe' : reported;
  return isValidEmail(email) ? [{ email, event, isComplaint, messageKey: null }] : [];
}

/** The most recipients or events of one report that are read. Brevo sends batches of 500. */
const MAX_ITEMS = 1_000;

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}
