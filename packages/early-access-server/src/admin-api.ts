/** What the dashboard shares with the server: the shapes of the admin's interface, its limits, and the colours of a brand. */
export {
  API_SCOPES,
  type ApiKey,
  type ApiScope,
  MAX_API_KEY_NAME,
  MAX_API_KEYS,
} from './app/access/api-keys.ts';
export {
  type ApiKeysResponse,
  type BrandResponse,
  type BulkResponse,
  type BulkResult,
  type CampaignsResponse,
  type DashboardResponse,
  type DeliveriesResponse,
  type HealthResponse,
  type ListResponse,
  type MailResponse,
  type NewApiKeyResponse,
  type NewWebhookResponse,
  type PeopleResponse,
  RANGES,
  type Range,
  type SessionResponse,
  type SessionsResponse,
  type ShownField,
  type TestMailResponse,
  type TestWebhookResponse,
  type WebhooksResponse,
  type WebhookWithoutSecret,
  type WithdrawResponse,
} from './app/admin/admin-api.ts';
export {
  type AdminSettings,
  type AuditAction,
  type AuditEntry,
  SIGNUP_NOTICES,
  type SignupNotices,
} from './app/admin/admin-store.ts';
export {
  MAX_BULK,
  MAX_SEARCH_LENGTH,
  PEOPLE_SORTS,
  type PeopleSort,
  type Person,
  type PersonRecord,
} from './app/admin/people.ts';
export type { Tallies } from './app/analytics/analytics.ts';
export {
  type BreakdownRow,
  type Bucket,
  DIMENSIONS,
  type Dimension,
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  OTHER,
  type PeriodFigures,
} from './app/analytics/analytics.ts';
export {
  type Audience,
  CAMPAIGN_AUDIENCE,
  type Campaign,
  type CampaignContent,
  type CampaignState,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
  mayChangeCampaign,
} from './app/list/campaign-store.ts';
export type { InviteWave } from './app/list/list-store.ts';
export type { ImportEvent, ImportReport, ImportReportLine, ImportResult } from './app/list/run-import.ts';
export { PERSON_STATES, type PersonState } from './app/list/states.ts';
export type { MailState } from './app/mail/message.ts';
export type { UnsentMail } from './app/mail/unsent-mail.ts';
export { palettesOf } from './app/palette.ts';
export { EVENT_TYPES, type EventType, WEBHOOK_FORMATS, type WebhookFormat } from './app/webhooks/events.ts';
