/** Shared by the dashboard and the server: types and limits of the admin API, and the brand's design tokens. */
export {
  API_SCOPES,
  type ApiKey,
  type ApiScope,
  MAX_API_KEY_NAME,
} from './app/access/api-keys.ts';
export { MAX_PASSKEY_NAME } from './app/access/passkeys.ts';
export { mayDo, type Need, ROLES, type Role } from './app/access/roles.ts';
export { FIRST_STEPS, type FirstStep, type StepState } from './app/admin/first-steps.ts';
export { ASKED_COOKIE } from './app/admin/sign-in.ts';
export {
  type BreakdownRow,
  type Bucket,
  COMPARISONS,
  type Comparison,
  DIMENSIONS,
  type Dimension,
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  OTHER,
  type PageRow,
  type PeriodFigures,
  RANGES,
  type Range,
  type Tallies,
} from './app/analytics/analytics.ts';
export { describeDot, peoplePerDot } from './app/brand/dots.ts';
export { derivePalettes } from './app/brand/palette.ts';
export { brandTokens } from './app/brand/tokens.ts';
export type {
  Audience,
  Campaign,
  CampaignContent,
  CampaignExample,
  CampaignState,
  DraftRevision,
} from './app/campaigns/campaign.ts';
export type { SeriesState, StepTiming } from './app/campaigns/step-timing.ts';
export type { ColumnUse, ImportColumn } from './app/import/columns.ts';
export { DATE_ORDERS, type DateOrder } from './app/import/parse-time.ts';
export type { ImportEvent, ImportReport, ImportReportLine, ImportResult } from './app/import/run-import.ts';
export type { ValueQuestion } from './app/import/value-choices.ts';
export { VALUE_MEANINGS, type ValueMeaning } from './app/import/value-meanings.ts';
export { ON_LIST, PERSON_STATES, type PersonState } from './app/lifecycle/states.ts';
export { MESSAGE_KINDS, type MessageKind } from './app/mail/message-kinds.ts';
export type { MailState, UnknownDecision } from './app/mail/message-state.ts';
export type { UnsentMail } from './app/mail/unsent-mail.ts';
export type { BulkAction, BulkJob } from './app/people/bulk.ts';
export { MAX_CONSENT_LENGTH } from './app/people/consent.ts';
export { readLinkToken } from './app/people/meant-link.ts';
export {
  MAX_BULK,
  MAX_SEARCH_LENGTH,
  PEOPLE_SORTS,
  type PeopleSort,
  type Person,
  type PersonRecord,
} from './app/people/people.ts';
export type { ConditionText, SavedSegment, Segment, SegmentNames, TextName, TextTest } from './app/people/segment.ts';
export type { Cause, TimelineEntry } from './app/people/timeline.ts';
export {
  type AdminSettings,
  type AuditAction,
  type AuditEntry,
  SIGNUP_NOTICES,
  type SignupNotices,
} from './app/ports/admin-store.ts';
export { type ImportRecord, INVITE_ORDERS, type InviteOrder, type InviteWave } from './app/ports/list-store.ts';
export type { PersonReferrals, ShareLink, SharePerson } from './app/ports/share-store.ts';
export type { Member } from './app/ports/team-store.ts';
export { CREDITS, type Credit } from './app/share/credit.ts';
export { type ShownField, valueLabel } from './app/signup/fields.ts';
export { DAY, dateFormat, TIME } from './app/text/dates.ts';
export { MAX_WEBHOOK_NAME } from './app/webhooks/endpoint-name.ts';
export { EVENT_TYPES, type EventType, WEBHOOK_FORMATS, type WebhookFormat } from './app/webhooks/events.ts';
export type { DashboardResponse } from './http/routing/schemas/analytics.ts';
export type { ApiKeysResponse, NewApiKeyResponse } from './http/routing/schemas/api-keys.ts';
export type {
  AudienceSizeResponse,
  CampaignCheckResponse,
  CampaignsResponse,
  ListResponse,
  ScheduledTimeResponse,
  SeriesResponse,
  WithdrawResponse,
} from './http/routing/schemas/list.ts';
export type { ListStatusResponse, OpeningRequestsResponse } from './http/routing/schemas/list-status.ts';
export type { PasskeysResponse } from './http/routing/schemas/passkeys.ts';
export type {
  AddedPersonResponse,
  BulkJobsResponse,
  BulkResponse,
  BulkResult,
  CountResponse,
  ImportsResponse,
  LabelsResponse,
  PeopleResponse,
  RestoreResponse,
  WithdrawalResponse,
} from './http/routing/schemas/people.ts';
export type { SegmentsResponse } from './http/routing/schemas/segments.ts';
export type {
  BrandResponse,
  FirstStepsResponse,
  HealthResponse,
  MailResponse,
  SessionResponse,
  SessionsResponse,
  TestMailResponse,
  UnknownMailResponse,
} from './http/routing/schemas/server.ts';
export type { LinksResponse } from './http/routing/schemas/share.ts';
export type { NewOverviewLinkResponse, OverviewLinksResponse, TeamResponse } from './http/routing/schemas/team.ts';
export type {
  DeliveriesResponse,
  NewWebhookResponse,
  TestWebhookResponse,
  WebhooksResponse,
  WebhookWithoutSecret,
} from './http/routing/schemas/webhooks.ts';
