/**
 * For authors of stores: the `Store` interface, and the application's decisions that a store makes inside its own transactions. Check a
 * store with `runStoreContract`. `early-access-firebase` is one. Its names follow the application's, so depend on an exact version.
 */
export { API_SCOPES, type ApiKey, IDEMPOTENCY_MS } from './app/access/api-keys.ts';
export { type Bucket, computeFullTime, type RateLimit, scaled, takeTokens } from './app/access/rate-limits.ts';
export { newToken, sha256 } from './app/access/secrets.ts';
export { readCursor, writeCursor } from './app/admin/cursor.ts';
export {
  type ExportedPerson,
  MAX_SOURCES,
  type PeopleFilter,
  type PeoplePage,
  type PeopleQuery,
  type PeopleSort,
  type Person,
  type PersonMail,
  type PersonRecord,
} from './app/admin/people.ts';
export {
  DEFAULT_AUDIT_ENTRIES,
  isSessionValid,
  isSignInTokenValid,
  newSession,
  SESSION_MAX_MS,
  withLastUse,
} from './app/admin/sign-in.ts';
export {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsQuery,
  DIMENSIONS,
  type Dimension,
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  MAX_VALUES_PER_DAY,
  mapTallies,
  NO_TALLIES,
  type PeriodFigures,
  type SourceCounts,
  TALLIES,
  type Tallies,
  type Tally,
} from './app/analytics/analytics.ts';
export { barOfDay, breakdowns, hasBarsOfDays, isFiltered } from './app/analytics/compute-analytics.ts';
export {
  limitSource,
  matches,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from './app/analytics/traffic-source.ts';
export { DEFAULT_RETENTION_DAYS } from './app/jobs/retention.ts';
export {
  type Audience,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  campaignRoom,
  type DraftRevision,
  mayBecome,
  NEW_DRAFT,
} from './app/list/campaign.ts';
export { chooseImportedMessage } from './app/list/import/imported-message.ts';
export {
  confirmResult,
  inviteState,
  linksToStore,
  newTokens,
  opensStatus,
  renewalResult,
  type StoredLink,
} from './app/list/links.ts';
export { type EnteredSignup, enteredSignup, findListed, isOptedOut, planImport } from './app/list/opt-out.ts';
export { isPersonId, newPersonId } from './app/list/person-id.ts';
export {
  CONFIRMATIONS,
  firstState,
  type ListedPerson,
  mayOptOut,
  maySignUpAgain,
  needsConfirmation,
  nextState,
  PENDING_MS,
  PERSON_STATES,
  type PersonEvent,
  type PersonHistory,
  type PersonState,
  REMINDER_AFTER_MS,
  STATE_TIMES,
  signupResult,
  timeAfter,
} from './app/list/states.ts';
export {
  addEvents,
  type Cause,
  createTimeline,
  MAX_TIMELINE_EMAILS,
  type StoredEvent,
  type TimelineEmail,
} from './app/list/timeline.ts';
export { mayWithdraw } from './app/list/withdraw-import.ts';
export { emailFields } from './app/mail/email-fields.ts';
export {
  afterOutcome,
  beginProbe,
  domainsToAvoid,
  endPause,
  isPaused,
  type MailPause,
  type MailTrouble,
  mayAttempt,
  readMailPause,
  readTrouble,
} from './app/mail/mail-pause.ts';
export {
  computeQuota,
  DEFAULT_MAILS_PER_HOUR,
  decideDelivery,
  domainKey,
  findFreeTime,
  MAILBOX_MS,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxKey,
  nextQuotaHour,
  quotaHour,
} from './app/mail/mail-quota.ts';
export {
  chooseFirstMessage,
  chooseNewLink,
  chooseResend,
  type LinkPurpose,
  MESSAGE_KINDS,
  type MessageKind,
  type MessageTokens,
  mayReceive,
  SIDE_KINDS,
} from './app/mail/message-kinds.ts';
export {
  afterAttempt,
  afterBounce,
  afterLease,
  beginAttempt,
  isBeingSent,
  isBounce,
  isDue,
  MAIL_STATES,
  type MailState,
  type MessageOutcome,
  type MessageRecord,
  newMessage,
  postponed,
  requeued,
} from './app/mail/message-state.ts';
export { readNotice } from './app/mail/notice.ts';
export type { UnsentMail, WaitingMail } from './app/mail/unsent-mail.ts';
export {
  type AdminSession,
  type AdminStore,
  AUDIT_ACTIONS,
  type AuditEntry,
  DEFAULT_ADMIN_SETTINGS,
  SIGNUP_NOTICES,
} from './app/ports/admin-store.ts';
export type { AnalyticsStore, CountingFailure } from './app/ports/analytics-store.ts';
export type { ApiKeyStore } from './app/ports/api-key-store.ts';
export type { CampaignStore } from './app/ports/campaign-store.ts';
export type { Clock } from './app/ports/clock.ts';
export type { HumanTokenStore } from './app/ports/human-token-store.ts';
export type {
  ChosenPeople,
  ConfirmResult,
  CorrectionRequest,
  ImportedMember,
  ImportedPerson,
  ImportName,
  ImportOptions,
  ImportRecord,
  InviteWave,
  ListStore,
  NewWave,
  PersonImport,
  RedeemResult,
  RenewalResult,
} from './app/ports/list-store.ts';
export { type Log, silentLog } from './app/ports/log.ts';
export type { PeopleStore } from './app/ports/people-store.ts';
export type { RateLimiter, RateLimitUse } from './app/ports/rate-limiter.ts';
export type { SegmentStore } from './app/ports/segment-store.ts';
export type {
  Claim,
  ClaimedMessage,
  Erased,
  MailQueue,
  ResendResult,
  Store,
  StoreOptions,
} from './app/ports/store.ts';
export {
  type ClaimedDelivery,
  DELIVERY_LOG_MS,
  type Webhook,
  type WebhookDelivery,
  type WebhookStore,
} from './app/ports/webhook-store.ts';
export { storedFields } from './app/signup/fields.ts';
export { afterDelivery, afterResend, DISABLED_REASON, HEALTHY, LEASE_ENDED_REASON } from './app/webhooks/endpoint.ts';
export { changeEndpoint } from './app/webhooks/endpoint-change.ts';
export { EVENT_OF, EVENT_TYPES, type EventType, WEBHOOK_FORMATS } from './app/webhooks/events.ts';
