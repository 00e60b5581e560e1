/** Shared by the dashboard and the server: the shapes of the admin's interface, its limits, and the colors of a brand. */
export {
  API_SCOPES,
  type ApiKey,
  type ApiScope,
  MAX_API_KEY_NAME,
} from './app/access/api-keys.ts';
export {
  MAX_BULK,
  MAX_SEARCH_LENGTH,
  PEOPLE_SORTS,
  type PeopleSort,
  type Person,
  type PersonRecord,
} from './app/admin/people.ts';
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
export { derivePalettes } from './app/brand/palette.ts';
export {
  type Audience,
  CAMPAIGN_AUDIENCE,
  type Campaign,
  type CampaignContent,
  type CampaignState,
  type DraftRevision,
  findSendingEnd,
  findStart,
  MAX_AFTER_DAYS,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
  mayChangeCampaign,
} from './app/list/campaign.ts';
export { MAX_CONSENT_LENGTH } from './app/list/consent.ts';
export type { ColumnUse, ImportColumn } from './app/list/import/columns.ts';
export { DATE_ORDERS, type DateOrder } from './app/list/import/parse-time.ts';
export type { ImportEvent, ImportReport, ImportReportLine, ImportResult } from './app/list/import/run-import.ts';
export type { ValueQuestion } from './app/list/import/value-choices.ts';
export { VALUE_MEANINGS, type ValueMeaning } from './app/list/import/value-meanings.ts';
export { readLinkToken } from './app/list/meant-link.ts';
export {
  type ConditionText,
  describeConditions,
  describeSegment,
  listStates,
  MAX_DAYS_AGO,
  MAX_SEGMENT_FIELDS,
  MAX_SEGMENT_NAME,
  nameImport,
  nameLanguage,
  readSegment,
  removeCondition,
  type SavedSegment,
  type Segment,
  type SegmentNames,
} from './app/list/segment.ts';
export { PERSON_STATES, type PersonState } from './app/list/states.ts';
export type { Cause, TimelineEntry } from './app/list/timeline.ts';
export { MESSAGE_KINDS, type MessageKind } from './app/mail/message-kinds.ts';
export type { MailState } from './app/mail/message-state.ts';
export type { UnsentMail } from './app/mail/unsent-mail.ts';
export {
  type AdminSettings,
  type AuditAction,
  type AuditEntry,
  SIGNUP_NOTICES,
  type SignupNotices,
} from './app/ports/admin-store.ts';
export { type ImportRecord, INVITE_ORDERS, type InviteOrder, type InviteWave } from './app/ports/list-store.ts';
export type { ShareCircle, ShareLink, SharePerson } from './app/ports/share-store.ts';
export { CREDITS, type Credit } from './app/share/credit.ts';
export type { ShownField } from './app/signup/fields.ts';
export { EVENT_TYPES, type EventType, WEBHOOK_FORMATS, type WebhookFormat } from './app/webhooks/events.ts';
export type { DashboardResponse } from './http/server/schemas/analytics.ts';
export type { ApiKeysResponse, NewApiKeyResponse } from './http/server/schemas/api-keys.ts';
export type {
  AudienceSizeResponse,
  CampaignCheckResponse,
  CampaignExample,
  CampaignsResponse,
  ListResponse,
  ScheduledTimeResponse,
  WithdrawResponse,
} from './http/server/schemas/list.ts';
export type {
  AddedPersonResponse,
  BulkResponse,
  BulkResult,
  ImportsResponse,
  PeopleResponse,
  RestoreResponse,
  WithdrawalResponse,
} from './http/server/schemas/people.ts';
export type { SegmentsResponse } from './http/server/schemas/segments.ts';
export type {
  BrandResponse,
  HealthResponse,
  MailResponse,
  SessionResponse,
  SessionsResponse,
  TestMailResponse,
} from './http/server/schemas/server.ts';
export type { LinksResponse } from './http/server/schemas/share.ts';
export type {
  DeliveriesResponse,
  NewWebhookResponse,
  TestWebhookResponse,
  WebhooksResponse,
  WebhookWithoutSecret,
} from './http/server/schemas/webhooks.ts';
