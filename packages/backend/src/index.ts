export { attributionOfForm } from './attribution-of-form.ts';
export { type Bucket, type Budget, fullAt, refilled, secondsUntilToken } from './bucket.ts';
export { clientKey } from './client-key.ts';
export type { Clock } from './clock.ts';
export { type SignupRow, writeSignupsCsv } from './csv.ts';
export type { Log, LogFields } from './log.ts';
export { mailLine, type UnsentMail } from './mail-line.ts';
export {
  DEFAULT_MAILS_PER_HOUR,
  decideDelivery,
  MAILBOX_FULL_REASON,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxFreeAt,
  nextQuotaHour,
  quotaHour,
} from './mail-quota.ts';
export { mailboxKey } from './mailbox.ts';
export { type FormOutcome, OUTCOMES, resultPage, resultPageHeaders } from './result-page.ts';
export { SIGNUP_COLUMNS } from './signup-columns.ts';
