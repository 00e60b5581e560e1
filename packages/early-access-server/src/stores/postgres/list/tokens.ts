import { linksToStore, newTokens } from '../../../app/list/links.ts';
import type { LinkPurpose, MessageKind } from '../../../app/mail/message-kinds.ts';
import type { MessageTokens } from '../../store.ts';
import type { Transaction } from '../connection.ts';

/** Makes the tokens of an attempt to send a message, and stores their hashes. */
export async function createTokens(
  tx: Transaction,
  signupId: number | null,
  kind: MessageKind,
  now: number,
): Promise<MessageTokens> {
  const tokens = newTokens(kind);
  const links = linksToStore(tokens, kind, now);
  await tx`
    INSERT INTO early_access.person_tokens (hash, signup_id, purpose, expires_at)
    SELECT hash, ${signupId}::bigint, purpose, expires_at
    FROM unnest(
      ${links.map(({ hash }) => hash)}::text[], ${links.map(({ purpose }) => purpose)}::text[],
      ${links.map(({ expiresAt }) => expiresAt)}::bigint[]
    ) AS link (hash, purpose, expires_at)
  `;
  return tokens;
}

/** Uses up all of the person's links of this purpose. */
export async function markTokensUsed(
  tx: Transaction,
  signupId: number,
  purpose: LinkPurpose,
  now: number,
): Promise<void> {
  await tx`
    UPDATE early_access.person_tokens SET used_at = ${now}
    WHERE signup_id = ${signupId} AND purpose = ${purpose} AND used_at IS NULL
  `;
}
