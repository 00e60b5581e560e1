import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const file = path.resolve(import.meta.dirname, '../firestore.indexes.json');
const { indexes, fieldOverrides } = JSON.parse(await readFile(file, 'utf8'));

/** The fake needs no indexes, Firestore refuses a query without its own. */
it.each([
  ['the totals of the summary', 'sessions', ['session_start', 'total_duration']],
  ['its bounces', 'sessions', ['is_bounce', 'session_start']],
  ['its sessions without a duration', 'sessions', ['total_duration', 'session_start']],
  ['the mails that are due', 'mails', ['state', 'next_attempt_at']],
  ['the mails whose lease has run out', 'mails', ['state', 'lease_until']],
])('%s have their index', (_, collectionGroup, fields) => {
  expect(indexes).toContainEqual({
    collectionGroup,
    queryScope: 'COLLECTION',
    fields: fields.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
  });
});

it.each([
  ['sessions', 'total_duration'],
  ['mails', 'state'],
  ['visitors', 'last_seen'],
  ['email_signups', 'created_at'],
])('%s keep the index of %s', (collectionGroup, fieldPath) => {
  expect(fieldOverrides).not.toContainEqual(expect.objectContaining({ collectionGroup, fieldPath }));
});

it('the messages planned for a mailbox have their index', () => {
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

it.each(['sessions', 'visitors', 'throttles', 'mail_hours', 'mailboxes', 'erased_sessions'])(
  'old %s are deleted by their expires_at',
  (collectionGroup) => {
    expect(fieldOverrides).toContainEqual({ collectionGroup, fieldPath: 'expires_at', ttl: true, indexes: [] });
  },
);
