export { checkAdmin } from './admin-check.ts';
export { type Bucket, type Budget, fullAt, scaled, takeTokens } from './bucket.ts';
export { type ClientNetwork, clientNetworks } from './client-networks.ts';
export type { Clock } from './clock.ts';
export { type SignupRow, writeSignupsCsv } from './csv.ts';
export { fieldOf } from './field-of.ts';
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
export { isAllowableOrigin, type OriginPolicy, originPolicy, originRefusal, originRefusalLog } from './origins.ts';
export { type RateLimiter, type RateLimitUse, usesOf } from './rate-limit.ts';
export { type FormOutcome, OUTCOMES, resultPage, resultPageHeaders } from './result-page.ts';
export { SIGNUP_COLUMNS } from './signup-columns.ts';
export { FORM_TYPE, readSignupForm } from './signup-form.ts';
