import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { classifyReply } from '../mail/classify-reply.ts';
import { readField, readString } from '../text/read-field.ts';

/** Mail providers whose webhooks are supported, named as in their routes. */
export const MAIL_PROVIDERS = ['ses', 'postmark', 'resend', 'mailgun', 'brevo'] as const;
export type MailProvider = (typeof MAIL_PROVIDERS)[number];

/** The fields of a report that identify its source. */
export interface MailReportOrigin {
  /** True for a spam complaint. */
  readonly isComplaint: boolean;
  /** The key from the email's Message-ID; null if the report does not contain it. */
  readonly messageKey: string | null;
}

/** What happened to an email after the provider had accepted it. */
export interface MailEvent extends MailReportOrigin {
  /** Valid and normalized. */
  readonly email: string;
  /** `bounce`: the mailbox does not exist. `unsubscribe`: the person reported spam, or unsubscribed at the provider. */
  readonly event: 'bounce' | 'unsubscribe';
}

/** Parses the events of a provider's report. Returns none for soft bounces, other reports and invalid input. */
export const PARSE_MAIL_EVENTS: Readonly<Record<MailProvider, (body: unknown) => readonly MailEvent[]>> = {
  ses: (body) => withMessage(parseSes(body), readField(readField(body, 'mail'), 'commonHeaders'), 'messageId'),
  // Postmark and Resend only report their own ids.
  postmark: parsePostmark,
  resend: parseResend,
  mailgun: (body) => {
    const message = readField(readField(body, 'event-data'), 'message');
    return withMessage(parseMailgun(body), readField(message, 'headers'), 'message-id');
  },
  brevo: (body) =>
    readList(Array.isArray(body) ? body : [body]).flatMap((item) => withMessage(parseBrevo(item), item, 'message-id')),
};

/** Adds the Message-ID that the report repeats in this field. The provider may have replaced it with its own. */
function withMessage(events: readonly MailEvent[], headers: unknown, name: string): readonly MailEvent[] {
  const [, messageKey = null] = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/.exec(readString(headers, name)) ?? [];
  return events.map((event) => ({ ...event, messageKey }));
}

/** `body` is the notification's message in the format of SES. */
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

/** In broadcast streams, complaints only arrive as subscription changes. */
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
  // The report does not say which recipient it is about. Emails of this server have only one.
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
  // `old`, for example, means that Mailgun gave up.
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

/** Bounce classes of SES (also used by Resend) for a mailbox that does not exist, or is suppressed for this reason. */
const NO_MAILBOX_CLASSES: readonly string[] = ['NoEmail', 'Suppressed', 'OnAccountSuppressionList'];

/**
 * `reply` contains the parts of the mail server's reply that the report repeats. Providers also call replies permanent
 * that concern the sender, the content or a full mailbox. So the reply is classified as it is over SMTP, unless the
 * provider's class says that the mailbox does not exist.
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

/** The most recipients or events read from one report. Brevo sends batches of 500. */
const MAX_ITEMS = 1_000;

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}
