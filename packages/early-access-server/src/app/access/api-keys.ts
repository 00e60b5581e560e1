/** The scopes of a key: read figures without people, read people, or verify and redeem invitations. No key may write anything else. */
export const API_SCOPES = ['analytics', 'people', 'redeem'] as const;
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

export const MAX_API_KEYS = 50;
export const MAX_API_KEY_NAME = 80;
