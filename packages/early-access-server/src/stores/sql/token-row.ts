import type { StoredLink } from '../../app/list/links.ts';
import { integer, integerOrNull, type Row } from './row.ts';

export interface StoredToken extends StoredLink {
  readonly signupId: number;
}

/** The link in a row of `person_tokens`. */
export function toStoredToken(row: Row): StoredToken {
  return {
    signupId: integer(row, 'signup_id'),
    expiresAt: integer(row, 'expires_at'),
    isUsed: integerOrNull(row, 'used_at') !== null,
  };
}
