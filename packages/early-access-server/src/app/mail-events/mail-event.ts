import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { classifyReply } from '../mail/classify-reply.ts';
import { readField, readString } from '../text/read-field.ts';

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

/**
 * Reads the events of a provider's report. Returns none for soft bounces, for other reports, and for input that is no
 * report.
 */
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

/**
 * The events of a report that repeats the Message-ID in this field, which providers may have replaced by one that they
 * made.
 */
function withMessage(events: readonly MailEvent[], headers: unknown, name: string): readonly MailEvent[] {
  const [, messageKey = null] = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/.exec(readString(headers, name)) ?? [];
  return events.map((event) => ({ ...event, messageKey }));
}

/** `body`: the message of the notification, as SES writes it. */
function parseSes(body: unknown): readonly MailEvent[] {
  const type = readField(body, 'eventType') ?? readField(body, 'notificationType');
  const [bounce, complaint] = [readField(body, 'bounce'), readField(body, 'complaint')];
  if (type === 'Bounce' && readField(bounce, 'bounceType') === 'Permanent') {
    const subtype = readString(bounce, 'bounceSubType');
    return readList(readField(bounce, 'bouncedRecipients')).flatMap((recipient) => {
      const reply = [readString(recipient, 'status'), readString(recipient, 'diagnosticCode')];
      return reportRefusal(readString(recipient, 'emailAddress'), reply, subtype);
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
    if (type === 'BadEmailAddress') return report('bounce', email);
    if (type === 'HardBounce') return reportRefusal(email, [readString(body, 'Details')]);
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
  if (type === 'email.suppressed') return report('bounce', email);
  const bounce = readField(data, 'bounce');
  const isPermanent = (readField(bounce, 'type') ?? 'Permanent') === 'Permanent';
  if (type !== 'email.bounced' || !isPermanent) return [];
  const replies = readList(readField(bounce, 'diagnosticCode')).filter((reply) => typeof reply === 'string');
  return reportRefusal(email, [...replies, readString(bounce, 'message')], readString(bounce, 'subType'));
}

function parseMailgun(body: unknown): readonly MailEvent[] {
  const data = readField(body, 'event-data');
  const [event, email] = [readField(data, 'event'), readString(data, 'recipient')];
  if (event === 'complained') return report('complaint', email);
  if (event === 'unsubscribed') return report('unsubscribe', email);
  if (event !== 'failed' || readField(data, 'severity') !== 'permanent') return [];
  const status = readField(data, 'delivery-status');
  const reason = readString(data, 'reason');
  if (/^suppress-(?:complaint|unsubscribe)$/.test(reason)) return report('unsubscribe', email);
  if (reason === 'suppress-bounce') return report('bounce', email);
  // `old`, for instance, means that Mailgun gave up.
  if (!reason.endsWith('bounce') || readField(status, 'bounce-type') === 'soft') return [];
  const codes = `${readField(status, 'code')} ${readString(status, 'enhanced-code')}`;
  return reportRefusal(email, [codes, readString(status, 'message')]);
}

function parseBrevo(item: unknown): readonly MailEvent[] {
  const [event, email] = [readField(item, 'event'), readString(item, 'email')];
  if (event === 'invalid_email') return report('bounce', email);
  if (event === 'hard_bounce') return reportRefusal(email, [readString(item, 'reason')]);
  if (event === 'spam') return report('complaint', email);
  return event === 'unsubscribed' ? report('unsubscribe', email) : [];
}

/**
 * The classes of SES, which Resend repeats, that say that the mailbox does not exist, or that nothing is sent to it
 * because it did not.
 */
const NO_MAILBOX_CLASSES: readonly string[] = ['NoEmail', 'Suppressed', 'OnAccountSuppressionList'];

/**
 * `reply`: the parts of the mail server's reply that the provider repeats. Providers call replies permanent that blame
 * the sender, the content or a full mailbox, too, so the reply decides as it does over SMTP, unless the provider's own
 * class says that the mailbox does not exist.
 */
function reportRefusal(email: string, reply: readonly string[], providerClass = ''): readonly MailEvent[] {
  const refusal = NO_MAILBOX_CLASSES.includes(providerClass)
    ? 'no-mailbox'
    : classifyReply({ text: reply.join('\n'), command: 'RCPT TO' });
  return refusal === 'no-mailbox' ? report('bounce', email) : [];
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
