import { DAY_MS } from 'early-access-kit/core';

/** The rights that a key can have. None of them sends a campaign, erases anyone or changes the server, its admins or its keys. */
export const API_SCOPES = [
  'analytics',
  'people',
  'people:add',
  'people:write',
  'invites',
  'campaigns:draft',
  'redeem',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** A key for automation, without its secret. Times are epoch milliseconds. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  readonly created_at: number;
  /** Null: never. Requests that its scopes did not allow count, too. */
  readonly last_used_at: number | null;
}

/** How long an `Idempotency-Key` is known. */
export const IDEMPOTENCY_MS = DAY_MS;

export const MAX_API_KEYS = 50;
export const MAX_API_KEY_NAME = 80;
