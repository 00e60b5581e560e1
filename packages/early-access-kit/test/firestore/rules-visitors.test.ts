import { describe, expect, it } from 'vitest';
import { merge } from '../../src/adapters/firestore/values.ts';
import { randomId } from '../../src/core/random-id.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { visitorFields } from './records.ts';
import { change, documentName, set } from './rest.ts';
import { ALLOWED, DENIED, rulesFixture } from './rules.fixture.ts';

const NOW = Date.now();
/** Longer than the tests take. `rules-times.test.ts` checks the limits to the millisecond. */
const LATER_MS = 600_000;
const ID = randomId();
const name = documentName('visitors', ID);
const { commit, commitAsAdmin, refuses, get, query, aggregate, fields } = rulesFixture();

describe('a visitor', () => {
  it('cannot be moved back in time', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses(set(name, visitorFields(NOW - 1)));
    await refuses(merge(name, {}, { last_seen: NOW - 1 }));
    expect(await fields('visitors', ID)).toMatchObject({ last_seen: { integerValue: String(NOW) } });
  });

  it('does not reveal when they were last seen: a write that changes nothing is denied', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses(merge(name, {}, { last_seen: 0 }));
    await refuses(change(name, {}));
    await refuses(set(name, visitorFields(NOW)));
  });

  it('is only updated with known fields', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses(set(name, { ...visitorFields(NOW + 1), email: 'ada@example.org' }));
  });

  it('can read the time at a path without a document, and nowhere else', async () => {
    expect((await get('visitors', 'nobody')).status).toBe(ALLOWED);
    expect((await get('visitors', 'another')).status).toBe(DENIED);
  });

  it('cannot get an earlier expiry', async () => {
    const expiry = (days: number) => ({ expires_at: new Date(NOW + days * DAY_MS) });
    await commit(set(name, { last_seen: NOW, ...expiry(100) }));
    const later = { last_seen: NOW + 1 };
    await refuses(merge(name, { expires_at: new Date(NOW + 1_000) }, later));
    await refuses(merge(name, { expires_at: new Date(NOW + 100 * DAY_MS - 1) }, later));
    expect(await commit(merge(name, {}, later))).toBe(ALLOWED);
    expect(await commit(merge(name, expiry(100), { last_seen: NOW + 2 }))).toBe(ALLOWED);
    expect(await commit(merge(name, expiry(101), { last_seen: NOW + 3 }))).toBe(ALLOWED);
    await refuses({ update: { name, fields: {} }, updateMask: { fieldPaths: ['expires_at'] } });
  });

  it('with a stored time in the future accepts the current time, and no other', async () => {
    const ahead = NOW + DAY_MS - LATER_MS;
    await commit(set(name, visitorFields(ahead)));
    const seen = (last_seen: number) => merge(name, { last_seen }, {}, true);
    // The maximum would be the stored time.
    await refuses(merge(name, {}, { last_seen: NOW }));
    await refuses(seen(ahead));
    await refuses(seen(ahead - 1));
    await refuses(seen(NOW - DAY_MS - 1));
    expect(await commit(seen(NOW))).toBe(ALLOWED);
    await refuses(seen(NOW - 1));
    expect(await fields('visitors', ID)).toMatchObject({ last_seen: { integerValue: String(NOW) } });
  });

  it('keeps an expiry that is later than the rules now allow, and gets no other', async () => {
    const expiry = (days: number) => ({ expires_at: new Date(NOW + days * DAY_MS) });
    await commitAsAdmin(set(name, { last_seen: NOW, ...expiry(1_000) }));
    await refuses(merge(name, expiry(1_001), { last_seen: NOW + 1 }));
    expect(await commit(merge(name, {}, { last_seen: NOW + 1 }))).toBe(ALLOWED);
  });

  it('must expire at least 31 days after it was last seen', async () => {
    for (const last_seen of [NOW - DAY_MS + LATER_MS, NOW, NOW + DAY_MS]) {
      const other = documentName('visitors', randomId());
      await refuses(set(other, { last_seen, expires_at: new Date(last_seen + 31 * DAY_MS - 1) }));
      expect(await commit(set(other, { last_seen, expires_at: new Date(last_seen + 31 * DAY_MS) }))).toBe(ALLOWED);
    }
  });

  it.each<[string, Parameters<typeof set>[1]]>([
    ['no time', { expires_at: new Date(NOW + 40 * DAY_MS) }],
    ['no expiry', { last_seen: NOW }],
    ['an invalid time', { ...visitorFields(NOW), last_seen: 'now' }],
    ['a timestamp, which cannot merge by maximum', { ...visitorFields(NOW), last_seen: new Date(NOW) }],
    ['a time long ago', { ...visitorFields(NOW), last_seen: NOW - DAY_MS - 1 }],
    ['a future time', { ...visitorFields(NOW), last_seen: NOW + DAY_MS + LATER_MS }],
    ['an invalid expiry', { ...visitorFields(NOW), expires_at: NOW + DAY_MS }],
    ['an expiry in the past', { ...visitorFields(NOW), expires_at: new Date(NOW) }],
    ['an expiry in the far future', { ...visitorFields(NOW), expires_at: new Date(NOW + 396 * DAY_MS + LATER_MS) }],
    ['an additional field', { ...visitorFields(NOW), email: 'ada@example.org' }],
  ])('is denied with %s', async (_, record) => {
    await refuses(set(name, record));
  });

  it('is denied with a time that is not an integer', async () => {
    const { update } = set(name, visitorFields(NOW));
    await refuses({ update: { ...update, fields: { ...update.fields, last_seen: { doubleValue: NOW } } } });
  });

  it('is denied with an invalid id', async () => {
    for (const id of ['short', 'a b c d e f', 'x'.repeat(65)])
      await refuses(set(documentName('visitors', id), visitorFields(NOW)));
  });

  it('cannot be read, deleted, listed or counted', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses({ delete: name });
    await refuses(change(name, { note: 'x' }));
    expect((await get('visitors', ID)).status).toBe(DENIED);
    expect((await get('visitors', randomId())).status).toBe(DENIED);
    expect((await query('visitors')).status).toBe(DENIED);
    expect((await aggregate('visitors')).status).toBe(DENIED);
  });
});

it.each([
  'elsewhere',
  'mails',
  'mail_hours',
  'mailboxes',
  'erased_sessions',
  'throttles',
  'users',
  'email_signup',
  'person_tokens',
  'invite_waves',
  'list_progress',
  'keys',
  'webhooks',
  'webhook_deliveries',
  'api_keys',
  'admin_audit',
  'campaigns',
])('everything else is closed: %s', async (collection) => {
  const id = randomId();
  await refuses(set(documentName(collection, id), { x: 1 }));
  expect((await get(collection, id)).status).toBe(DENIED);
  expect((await query(collection)).status).toBe(DENIED);
});
