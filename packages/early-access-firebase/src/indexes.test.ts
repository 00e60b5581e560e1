import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { INDEXES_FILE } from './package-files.ts';

const { fieldOverrides } = JSON.parse(await readFile(INDEXES_FILE, 'utf8'));

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
  ['campaigns', 'conditions'],
  ['segments', 'conditions'],
  ['bulk_jobs', 'data'],
  ['bulk_parts', 'ids'],
  ['email_signups', 'language'],
  ['person_tokens', 'valid_until'],
  ['sessions', 'page_views'],
])('%s have no index of %s, which no query uses', (collectionGroup, fieldPath) => {
  expect(fieldOverrides).toContainEqual({ collectionGroup, fieldPath, indexes: [] });
});
