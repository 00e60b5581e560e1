/**
 * The admin's interface under `/api/admin`, as the dashboard uses it: JSON, same origin only, with the session cookie. Without a session
 * every route but `POST /sign-in` and `POST /session` responds with 401. Errors have the form of the public interface.
 *
 * - `POST /sign-in` {email}: 202, always. `POST /session` {token}: 204 and the cookie, or 401. `POST /sign-out`: 204.
 * - `GET /session`: `SessionResponse`. `POST /settings` `AdminSettings`: 204.
 * - `GET /sessions`: `SessionsResponse`. `POST /sessions/revoke` {id}: 204.
 * - `GET /dashboard?range=7d|30d|90d|all|custom&from=2026-01-31&to=2026-02-28&zone=Europe/Berlin&filter=browser:Firefox`: `DashboardResponse`.
 *   `from` and `to` are days of a custom range, both included; `filter` may be repeated; its value is URL-encoded as usual.
 * - `GET /people?search&state&mail&source&from&to&zone&sort&after&limit`: `PeopleResponse`. `from` and `to` are days in `zone`, both included, and
 *   each may be absent. `GET /people/count` with the same filter: {count}.
 *   `GET /people.csv` with the same filter: a streamed download. `GET /people/sources`: {sources}. `GET /people/:id`: `PersonRecord`, or 404.
 * - `POST /people/forget` {ids}, `POST /people/resend` {ids}: `BulkResponse`, at most `MAX_BULK` ids.
 * - `POST /import?dry-run=1|0&welcome=0|1` with the CSV as `text/csv`: `ImportReport` of a dry run, which is the default; otherwise lines with an
 *   `ImportEvent` each (NDJSON), the last of type `done` or `failed`.
 * - `GET /list`: `ListResponse`. `POST /invites?search&mail&source&from&to&zone` {after, count} or {after, ids}: `InviteWave`; 409 if another wave
 *   than `after` is the newest, or if there is no one to invite. `POST /invites/:id/withdraw`: `WithdrawResponse`.
 * - `GET /campaigns`: `CampaignsResponse`. `POST /campaigns` `CampaignContent`: `Campaign`. `POST /campaigns/:id` `CampaignContent`: 204, or 409 if it
 *   is no draft any more, as `POST /campaigns/:id/remove`. `POST /campaigns/audience` `Audience`: {people}.
 * - `GET /campaigns/:id/preview?as=light|dark|text`: the email as a page for a frame. `POST /campaigns/:id/test`: `TestMailResponse`.
 *   `POST /campaigns/:id/state` {to: sending|paused|cancelled}: 204, or 409 if its state does not allow it (any more).
 * - `GET /mail`: `MailResponse`. `POST /mail/test`: `TestMailResponse`, after the conversation with the mail server.
 * - `GET /webhooks`: `WebhooksResponse`. `POST /webhooks` {url, format, events}: `NewWebhookResponse`. `POST /webhooks/:id` with any of
 *   {url, format, events, enabled}, `POST /webhooks/:id/remove`: 204, or 404. `POST /webhooks/:id/test`: `TestWebhookResponse`, after the
 *   endpoint's response. `GET /webhooks/:id/deliveries`: `DeliveriesResponse`. `POST /webhook-deliveries/resend` {id}: 204, or 409.
 * - `GET /api-keys`: `ApiKeysResponse`. `POST /api-keys` {name, scopes}: `NewApiKeyResponse`. `POST /api-keys/:id/revoke`: 204, or 404.
 * - `GET /health`: `HealthResponse`. `GET /audit`: {entries}.
 * - `GET /api/brand`, public: `BrandResponse`.
 */

import type { FieldOption } from 'early-access-kit/core';
import type { ApiKey } from '../access/api-keys.ts';
import type { Analytics } from '../analytics/analytics.ts';
import type { BrandColours } from '../brand.ts';
import type { Campaign } from '../list/campaign-store.ts';
import type { InviteWave } from '../list/list-store.ts';
import type { PersonState } from '../list/states.ts';
import type { MailState } from '../mail/message.ts';
import type { UnsentMail } from '../mail/unsent-mail.ts';
import type { Webhook, WebhookDelivery } from '../webhooks/webhook-store.ts';
import type { AdminSession, AdminSettings } from './admin-store.ts';
import type { PeoplePage } from './people.ts';

export const RANGES = ['7d', '30d', '90d', 'all', 'custom'] as const;
export type Range = (typeof RANGES)[number];

export interface BrandResponse {
  readonly name: string;
  readonly colours: BrandColours;
}

/** A field of the form, as the dashboard shows its values. */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  /** The stored values and their labels; empty unless the field is a select. */
  readonly choices: readonly FieldOption[];
  readonly is_consent: boolean;
}

export interface SessionResponse {
  readonly email: string;
  /** The session's id. */
  readonly id: string;
  readonly settings: AdminSettings;
  /** The fields of the form, in its order. */
  readonly fields: readonly ShownField[];
}

export interface SessionsResponse {
  readonly sessions: readonly (AdminSession & { readonly current: boolean })[];
}

export interface DashboardResponse extends Analytics {
  readonly range: Range;
  readonly zone: string;
  /** The period in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly bucket: 'hour' | 'day' | 'week' | 'month';
  /** How much of the older data is counted, from 0 to 1. */
  readonly progress: number;
}

export type PeopleResponse = PeoplePage;

/** What became of each id, in their order. */
export interface BulkResponse {
  readonly results: readonly { readonly id: string; readonly result: BulkResult }[];
}

/** `gone`: the person was erased meanwhile. `being-sent`: an email is on its way right now, try again in a minute. */
export type BulkResult = 'done' | 'gone' | 'being-sent' | 'not-traceless' | 'unsubscribed';

export interface ListResponse {
  readonly counts: Readonly<Record<PersonState, number>>;
  /** The newest first, at most 100. */
  readonly waves: readonly InviteWave[];
  readonly can_invite: boolean;
}

/** How many invitations of a wave were taken back. */
export interface WithdrawResponse {
  readonly withdrawn: number;
}

export interface CampaignsResponse {
  /** The newest first. */
  readonly campaigns: readonly Campaign[];
  /** Whether this application sends emails. */
  readonly can_send: boolean;
}

export interface MailResponse {
  readonly counts: Readonly<Record<MailState, number>>;
  /** Null: emails are not sent. */
  readonly transport: 'smtp' | 'files' | null;
  readonly quota: { readonly per_hour: number; readonly spent_until: number | null };
  readonly next_due_at: number | null;
  /** Messages that are not sent, at most 100. */
  readonly unsent: readonly UnsentMail[];
}

export interface TestMailResponse {
  readonly outcome: 'sent' | 'refused' | 'unknown';
  /** What happened, in plain words. */
  readonly explanation: string;
}

export interface WebhooksResponse {
  readonly webhooks: readonly WebhookWithoutSecret[];
}

export type WebhookWithoutSecret = Omit<Webhook, 'secret'>;

export interface NewWebhookResponse {
  readonly webhook: WebhookWithoutSecret;
  /** It is shown this once. */
  readonly secret: string;
}

export interface TestWebhookResponse {
  readonly delivered: boolean;
  /** What happened, in plain words. */
  readonly explanation: string;
}

/** The newest deliveries of an endpoint, at most 100. */
export interface DeliveriesResponse {
  readonly deliveries: readonly WebhookDelivery[];
}

export interface ApiKeysResponse {
  /** The newest first. */
  readonly api_keys: readonly ApiKey[];
}

export interface NewApiKeyResponse {
  readonly api_key: ApiKey;
  /** The key itself. It is shown this once. */
  readonly secret: string;
}

/** Something to fix, with its remedy, such as "PUBLIC_URL is not set: links in emails lead to localhost." */
export interface HealthIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Facts that a host cannot know are null. */
export interface HealthResponse {
  readonly version: string;
  readonly store: 'sqlite' | 'firestore' | 'postgres' | 'other';
  readonly database_bytes: number | null;
  readonly disk_free_bytes: number | null;
  readonly last_backup_at: number | null;
  readonly retention_days: number | null;
  /** How often a rate limit refused a request since the start, by the limit's name. */
  readonly limits_hit: Readonly<Record<string, number>>;
  readonly issues: readonly HealthIssue[];
}
