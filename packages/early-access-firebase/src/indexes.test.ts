import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { INDEXES_FILE } from './package-files.ts';

const { indexes, fieldOverrides } = JSON.parse(await readFile(INDEXES_FILE, 'utf8'));

/** The fake runs queries without indexes; Firestore rejects them. */
it.each([
  ['the summary’s totals', 'sessions', ['session_start', 'total_duration']],
  ['the summary’s bounces', 'sessions', ['is_bounce', 'session_start']],
  ['the summary’s sessions without a duration', 'sessions', ['total_duration', 'session_start']],
  ['due messages', 'mails', ['state', 'next_attempt_at']],
  ['due messages that belong to no campaign', 'mails', ['state', 'campaign_id', 'next_attempt_at']],
  ['corrections that nobody confirms', 'mails', ['kind', 'changed_at']],
  ['messages with an expired lease', 'mails', ['state', 'lease_until']],
  ['people of a source, oldest first', 'email_signups', ['source', 'created_at']],
  ['people of a source by address', 'email_signups', ['source', 'email']],
  ['people of an import, oldest first', 'email_signups', ['import_id', 'created_at']],
  ['people of an import by address', 'email_signups', ['import_id', 'email']],
  ['people in a state, oldest first, also those to invite and to erase', 'email_signups', ['state', 'created_at']],
  ['people in a state by address', 'email_signups', ['state', 'email']],
  ['people of a source in a state, oldest first', 'email_signups', ['source', 'state', 'created_at']],
  ['people of a source in a state by address', 'email_signups', ['source', 'state', 'email']],
  ['people to remind', 'email_signups', ['state', 'reminded', 'created_at']],
  ['due deliveries of an endpoint', 'webhook_deliveries', ['webhook_id', 'state', 'next_attempt_at']],
  ['failed deliveries of an endpoint', 'webhook_deliveries', ['webhook_id', 'state', 'at']],
  ['deliveries with an expired lease', 'webhook_deliveries', ['state', 'lease_until']],
])('%s have an index', (_, collectionGroup, fields) => {
  expect(indexes).toContainEqual({
    collectionGroup,
    queryScope: 'COLLECTION',
    fields: fields.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
  });
});

it.each([
  ['sessions', 'total_duration'],
  ['mails', 'state'],
  ['sessions', 'session_end'],
  ['visitors', 'last_seen'],
  ['email_signups', 'created_at'],
  ['email_signups', 'email'],
  ['email_signups', 'source'],
  ['email_signups', 'state'],
  ['email_signups', 'wave_id'],
  ['email_signups', 'import_id'],
  ['imports', 'created_at'],
  ['mails', 'signup_id'],
  ['mails', 'links'],
  ['mailboxes', 'mailboxes'],
  ['mails', 'wave_id'],
  ['mails', 'attempts'],
  ['mails', 'kind'],
  ['mails', 'campaign_id'],
  ['campaigns', 'state'],
  ['campaigns', 'number'],
  ['person_tokens', 'signup_id'],
  ['invite_waves', 'number'],
  ['invite_waves', 'remaining'],
  ['webhooks', 'number'],
  ['webhooks', 'events'],
  ['webhook_deliveries', 'webhook_id'],
  ['webhook_deliveries', 'person'],
  ['webhook_deliveries', 'at'],
])('%s keep the index of %s', (collectionGroup, fieldPath) => {
  expect(fieldOverrides).not.toContainEqual(expect.objectContaining({ collectionGroup, fieldPath }));
});

it('the messages scheduled for a mailbox have an index', () => {
  expect(indexes).toContainEqual({
    collectionGroup: 'mails',
    queryScope: 'COLLECTION',
    fields: [
      { fieldPath: 'mailbox', order: 'ASCENDING' },
      { fieldPath: 'state', order: 'ASCENDING' },
      { fieldPath: 'next_attempt_at', order: 'DESCENDING' },
    ],
  });
});

it.each([
  'sessions',
  'visitors',
  'throttles',
  'mail_hours',
  'mailboxes',
  'erased_sessions',
  'human_tokens',
  'idempotency_keys',
  'admin_sign_in_requests',
  'person_tokens',
])('%s are deleted by TTL at their expires_at', (collectionGroup) => {
  expect(fieldOverrides).toContainEqual({ collectionGroup, fieldPath: 'expires_at', ttl: true, indexes: [] });
});

it.each([
  ['analytics', 'parts'],
  ['analytics', 'days'],
  ['analytics', 'human_missing'],
  ['analytics', 'human_refused'],
  ['analytics', 'human_replayed'],
  ['analytics', 'human_unreachable'],
  ['human_tokens', 'purpose'],
  ['idempotency_keys', 'request'],
  ['idempotency_keys', 'response'],
  ['analytics_parts', 'rows'],
  ['invite_waves', 'ids'],
  ['webhooks', 'secret'],
  ['campaigns', 'body'],
  ['person_tokens', 'valid_until'],
])('%s have no index of %s, which nothing asks for', (collectionGroup, fieldPath) => {
  expect(fieldOverrides).toContainEqual({ collectionGroup, fieldPath, indexes: [] });
});

it.each([
  ['people of a source, newest first', 'email_signups', ['source'], 'created_at'],
  ['people in a state, newest first', 'email_signups', ['state'], 'created_at'],
  ['people of a source in a state, newest first', 'email_signups', ['source', 'state'], 'created_at'],
  ['deliveries of an endpoint, newest first', 'webhook_deliveries', ['webhook_id'], 'at'],
])('%s, have an index', (_, collectionGroup, equal, descending) => {
  expect(indexes).toContainEqual({
    collectionGroup,
    queryScope: 'COLLECTION',
    fields: [
      ...equal.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
      { fieldPath: descending, order: 'DESCENDING' },
    ],
  });
});
