import type { LinkPurpose, MessageKind } from '../../app/mail/message-kinds.ts';
import { linksToStore, newTokens } from '../../app/people/links.ts';
import { toPersonRow, toStoredLink } from './list-rows.ts';
import { list, type Rows, type Statement, sql, type Transaction } from './statement.ts';

/** Creates the tokens for an attempt to send a message, and the rows to store with `insertLinks`. */
export function newLinks(signupId: number | null, kind: MessageKind, now: number, campaignId: number | null) {
  const tokens = newTokens(kind);
  const rows = linksToStore(tokens, kind, now).map(
    ({ hash, purpose, expiresAt }) => sql`(${hash}, ${signupId}, ${purpose}, ${kind}, ${campaignId}, ${expiresAt})`,
  );
  return { tokens, rows };
}

/** Stores links. There must be at least one. */
export function insertLinks(rows: readonly Statement[]): Statement {
  return sql`INSERT INTO @person_tokens (hash, signup_id, purpose, kind, campaign_id, expires_at) VALUES ${list(rows)}`;
}

export function selectLink(hash: string, purpose: LinkPurpose, other = purpose): Statement {
  return sql`
    SELECT signup.*, purpose, token.kind AS token_kind, token.campaign_id, token.expires_at, token.used_at FROM @person_tokens AS token
    JOIN @email_signups AS signup ON signup.id = token.signup_id WHERE hash = ${hash} AND purpose IN (${purpose}, ${other})
  `;
}

/** Reads the result of `selectLink`: a link and its owner. Links are deleted with their owner. */
export function toLink([row]: Rows) {
  return row === undefined ? { link: null, person: null } : { link: toStoredLink(row), person: toPersonRow(row) };
}

/** Marks all of the person's links with this purpose as used. */
export function* markTokensUsed(signupId: number, purpose: LinkPurpose, now: number): Transaction<void> {
  yield* sql`
    UPDATE @person_tokens SET used_at = ${now} WHERE signup_id = ${signupId} AND purpose = ${purpose} AND used_at IS NULL
  `;
}
