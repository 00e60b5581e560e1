/**
 * Shared by the packages of this repository in addition to the public API. May change in any version: do not import it
 * elsewhere.
 */
export { limitWrongAdmins, requireAdmin } from './app/access/admin-check.ts';
export { API_SCOPES, IDEMPOTENCY_MS, KEY_SCOPES, type StoredKey } from './app/access/api-keys.ts';
export { type ClientNetwork, clientAddress, clientNetworks } from './app/access/client-networks.ts';
export { formFrames } from './app/access/form-frames.ts';
export { memoryRateLimiter } from './app/access/memory-rate-limiter.ts';
export { isCounterValid } from './app/access/passkeys.ts';
export {
  type Bucket,
  computeFullTime,
  DEFAULT_RATE_LIMITS,
  listUses,
  type RateLimit,
  type RateLimits,
  scaled,
  takeTokens,
} from './app/access/rate-limits.ts';
export { ROLES } from './app/access/roles.ts';
export { newToken, sha256 } from './app/access/secrets.ts';
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
  fitsIndex,
  MAX_VALUES_PER_DAY,
  mapTallies,
  NO_TALLIES,
  OTHER,
  type PeriodFigures,
  type SourceCounts,
  TALLIES,
  type Tallies,
  type Tally,
} from './app/analytics/analytics.ts';
export { barOfDay, breakdowns, hasBarsOfDays, isFiltered } from './app/analytics/compute-analytics.ts';
export { listPages, type PageView, toPageView } from './app/analytics/page-views.ts';
export { findPeriod } from './app/analytics/range.ts';
export {
  limitSource,
  matches,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from './app/analytics/traffic-source.ts';
export { type Brand, DEFAULT_BRAND, readBrand } from './app/brand/brand.ts';
export {
  type Audience,
  afterStop,
  CAMPAIGN_REACTIONS,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  type CampaignReaction,
  campaignRoom,
  FOLLOWED_UP,
  findStart,
  lastInvitation,
  mayBecome,
  mayBeFollowed,
  mayEdit,
  maySchedule,
  NEW_DRAFT,
  scheduleStart,
  stateToRepeat,
} from './app/campaigns/campaign.ts';
export {
  dueUntil,
  inOrder,
  mayRetime,
  mayTime,
  pausedBefore,
  planStep,
  type SeriesStep,
  type WaitingPeople,
} from './app/campaigns/series.ts';
export { SERIES_STATES, type SeriesState, type StepTiming } from './app/campaigns/step-timing.ts';
export { ConfigError } from './app/config-error.ts';
export type { VerifyHuman } from './app/human/human-check.ts';
export { chooseImportedMessage } from './app/import/imported-message.ts';
export { mayWithdraw } from './app/import/withdraw-import.ts';
export { createTimeLimit, runEach } from './app/jobs/jobs.ts';
export { DEFAULT_RETENTION_DAYS } from './app/jobs/retention.ts';
export { domainKey, mailboxKey, normalizeMailbox } from './app/lifecycle/mailbox.ts';
export { type EnteredSignup, enteredSignup, findListed, isOptedOut, planImport } from './app/lifecycle/opt-out.ts';
export {
  CONFIRMATIONS,
  firstStep,
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
  signupResult,
  timeAfter,
} from './app/lifecycle/states.ts';
export { type ComplaintCounts, countComplaintsFrom } from './app/mail/complaints.ts';
export { emailFields } from './app/mail/email-fields.ts';
export {
  afterOutcome,
  beginProbe,
  domainsToAvoid,
  endPause,
  isPaused,
  type MailPause,
  mayAttempt,
  readMailPause,
  readTrouble,
} from './app/mail/mail-pause.ts';
export {
  computeQuota,
  DEFAULT_MAILS_PER_HOUR,
  decideDelivery,
  findFreeTime,
  MAILBOX_FULL_REASON,
  MAILBOX_MS,
  MAILS_PER_MAILBOX_AND_DAY,
  nextQuotaHour,
  quotaHour,
} from './app/mail/mail-quota.ts';
export { mailService } from './app/mail/mail-service.ts';
export {
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
  decided,
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
  type UnknownDecision,
} from './app/mail/message-state.ts';
export { type Notice, readNotice } from './app/mail/notice.ts';
export type { UnsentFilter, UnsentMail, WaitingMail } from './app/mail/unsent-mail.ts';
export { MAIL_PROVIDERS } from './app/mail-events/mail-event.ts';
export { loadOptional } from './app/optional-package.ts';
export { admit } from './app/people/admit.ts';
export { type BulkRecord, readBulk } from './app/people/bulk.ts';
export { readCursor, writeCursor } from './app/people/cursor.ts';
export {
  changeLabels,
  listLabels,
  MAX_LABEL_SETS,
  presentLabels,
  readLabels,
  writeLabels,
} from './app/people/labels.ts';
export {
  admission,
  confirmResult,
  inviteState,
  linksToStore,
  newTokens,
  opensStatus,
  renewalResult,
  type StoredLink,
} from './app/people/links.ts';
export { type MatchedPerson, matchesSearch, matchesSegment } from './app/people/match-segment.ts';
export {
  EVERYONE,
  type ExportedPerson,
  MAX_SOURCES,
  type PeopleCount,
  type PeopleFilter,
  type PeoplePage,
  type PeopleQuery,
  type PeopleSort,
  type Person,
  type PersonMail,
  type PersonRecord,
} from './app/people/people.ts';
export { isPersonId, newPersonId } from './app/people/person-id.ts';
export {
  MAX_SEGMENTS,
  readSegment,
  type SavedSegment,
  type Segment,
  type SegmentAt,
  type TextCondition,
} from './app/people/segment.ts';
export { addEvents, type Cause, createTimeline, MAX_TIMELINE_EMAILS, type StoredEvent } from './app/people/timeline.ts';
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
export type { BulkStore } from './app/ports/bulk-store.ts';
export type { CampaignStore } from './app/ports/campaign-store.ts';
export type { Clock } from './app/ports/clock.ts';
export type { HumanTokenStore } from './app/ports/human-token-store.ts';
export type { ListStatusNow, ListStatusStore, StoredRequest } from './app/ports/list-status-store.ts';
export {
  type AdmitResult,
  type ChosenPeople,
  type CorrectionRequest,
  type ImportedMember,
  type ImportedPerson,
  type ImportName,
  type ImportOptions,
  type ImportRecord,
  INVITE_ORDERS,
  type InviteOrder,
  type InviteWave,
  type ListStore,
  type NewWave,
  type PersonImport,
  type RedeemResult,
  type RenewalResult,
} from './app/ports/list-store.ts';
export { type Log, type LogFields, silentLog } from './app/ports/log.ts';
export type { MailTransport } from './app/ports/mail-transport.ts';
export type { Passkey, PasskeyStore } from './app/ports/passkey-store.ts';
export type { PeopleStore } from './app/ports/people-store.ts';
export type { RateLimiter, RateLimitUse } from './app/ports/rate-limiter.ts';
export type { SegmentStore } from './app/ports/segment-store.ts';
export {
  MAX_BROUGHT,
  type OwnLink,
  type PersonReferrals,
  type ShareLink,
  type SharePerson,
  type ShareStore,
} from './app/ports/share-store.ts';
export type {
  Claim,
  ClaimedMessage,
  Erased,
  MailQueue,
  ResendResult,
  Store,
  StoreOptions,
  UnknownDecisionResult,
} from './app/ports/store.ts';
export type { Member, TeamStore } from './app/ports/team-store.ts';
export {
  type ClaimedDelivery,
  DELIVERY_LOG_MS,
  type Webhook,
  type WebhookDelivery,
  type WebhookStore,
} from './app/ports/webhook-store.ts';
export { CREDITS, type Credit } from './app/share/credit.ts';
export type { ShareOptions } from './app/share/describe-share.ts';
export { chooseLink, isEntered } from './app/share/own-link.ts';
export {
  decideCredit,
  MAX_SHARED_PER_DOMAIN,
  MAX_SHARED_PER_NETWORK,
  newShareCode,
  PLACE_STEP_MS,
  SHARE_SOURCE,
  SHARED_WINDOW_MS,
} from './app/share/share-link.ts';
export { storedFields } from './app/signup/fields.ts';
export {
  findClosed,
  isListClosed,
  type ListClosed,
  needsPeople,
  OPEN_LIST,
  type OpeningRequest,
  PLACE_STATES,
  readListStatus,
} from './app/signup/list-status.ts';
export { readField } from './app/text/read-field.ts';
export { parseWholeNumber } from './app/text/whole-number.ts';
export {
  afterDelivery,
  afterResend,
  DISABLED_REASON,
  disabledNotice,
  HEALTHY,
  LEASE_ENDED_REASON,
} from './app/webhooks/endpoint.ts';
export { changeEndpoint } from './app/webhooks/endpoint-change.ts';
export { nameEndpoint } from './app/webhooks/endpoint-name.ts';
export { EVENT_OF, EVENT_TYPES, type EventType, WEBHOOK_FORMATS } from './app/webhooks/events.ts';
export { ADMIN_COMMANDS_HELP, adminCommands } from './cli/admin-commands.ts';
export { type Command, helpCommands, noArguments, runCommand, UsageError } from './cli/command.ts';
export { copyListCommand } from './cli/copy-list-command.ts';
export { inTime, REFUSALS } from './gates.ts';
export { chooseLanguage } from './http/pages/page.ts';
export { resultPages } from './http/pages/result-page.ts';
export { UNBUILT_SITE } from './http/pages/site/site.ts';
export { Failure, failureResponse } from './http/routing/failure.ts';
export { CHALLENGE_ROUTE } from './http/routing/own-paths.ts';
export type { RequestSource } from './http/routing/request-context.ts';
export { MAILBOX_PATTERN } from './mail/address.ts';
export { messageComposer } from './mail/compose/message-composer.ts';
export { readTemplates } from './mail/templates/template-files.ts';
export { smtpTransport } from './mail/transports/smtp-transport.ts';
export { parseEnvText } from './settings/env-text.ts';
export { readVerifyHuman } from './settings/human-settings.ts';
export type { Environment, Setting } from './settings/setting.ts';
export { SETTINGS } from './settings/setting-list.ts';
export {
  readBrandFiles,
  readFieldsFile,
  readInvites,
  readMailEvents,
  readMailsPerHour,
  readPageTexts,
  readPublicRoutes,
  readShare,
  resolveFile,
} from './settings/settings.ts';
export { readTextFile } from './settings/text-file.ts';
