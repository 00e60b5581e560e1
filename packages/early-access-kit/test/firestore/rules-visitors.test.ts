import { describe, expect, it } from 'vitest';
import { merge } from '../../src/adapters/firestore/values.ts';
import { randomId } from '../../src/core/random-id.ts';
import { visitorFields } from './records.ts';
import { change, documentName, set } from './rest.ts';
import { ALLOWED, DENIED, rulesBench } from './rules-bench.ts';
import { BEYOND_MS, CLOCK_CAN_BE_SET, NOW } from './target.ts';

const DAY_MS = 86_400_000;
const ID = randomId();
const name = documentName('visitors', ID);
const { commit, refuses, get, query, aggregate, fields, clock } = rulesBench(NOW);

describe('a visitor', () => {
  it.runIf(CLOCK_CAN_BE_SET)('is kept, and seen again later', async () => {
    expect(await commit(set(name, visitorFields(NOW)))).toBe(ALLOWED);
    clock.now = NOW + 20 * DAY_MS;
    expect(await commit(set(name, visitorFields(clock.now)))).toBe(ALLOWED);
    expect(await fields('visitors', ID)).toMatchObject({ last_seen: { integerValue: String(clock.now) } });
  });

  it('is not seen earlier than he was', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses(set(name, visitorFields(NOW - 1)));
    expect(await commit(merge(name, {}, { last_seen: NOW - 1 }))).toBe(ALLOWED);
    expect(await fields('visitors', ID)).toMatchObject({ last_seen: { integerValue: String(NOW) } });
  });

  it.each<[string, Parameters<typeof set>[1]]>([
    ['no time', { expires_at: new Date(NOW + DAY_MS) }],
    ['no expiry', { last_seen: NOW }],
    ['a time that is none', { ...visitorFields(NOW), last_seen: 'now' }],
    ['a timestamp, which no maximum merges', { ...visitorFields(NOW), last_seen: new Date(NOW) }],
    ['a time long ago', { ...visitorFields(NOW), last_seen: NOW - DAY_MS - 1 }],
    ['a time to come', { ...visitorFields(NOW), last_seen: NOW + DAY_MS + BEYOND_MS }],
    ['an expiry that is none', { ...visitorFields(NOW), expires_at: NOW + DAY_MS }],
    ['an expiry in the past', { ...visitorFields(NOW), expires_at: new Date(NOW) }],
    ['no end in sight', { ...visitorFields(NOW), expires_at: new Date(NOW + 3_652 * DAY_MS + BEYOND_MS) }],
    ['a further field', { ...visitorFields(NOW), email: 'ada@example.org' }],
  ])('is denied with %s', async (_, record) => {
    await refuses(set(name, record));
  });

  it('is denied under an id that is none', async () => {
    for (const id of ['short', 'a b c d e f', 'x'.repeat(65)])
      await refuses(set(documentName('visitors', id), visitorFields(NOW)));
  });

  it('is neither read, deleted, listed nor counted', async () => {
    await commit(set(name, visitorFields(NOW)));
    await refuses({ delete: name });
    await refuses(change(name, { note: 'x' }));
    expect((await get('visitors', ID)).status).toBe(DENIED);
    expect((await get('visitors', randomId())).status).toBe(DENIED);
    expect((await query('visitors')).status).toBe(DENIED);
    expect((await aggregate('visitors')).status).toBe(DENIED);
  });
});

describe('everything else', () => {
  it.each(['elsewhere', 'mails', 'mail_hours', 'mailboxes', 'throttles', 'users', 'email_signup'])(
    'is closed: %s',
    async (collection) => {
      const id = randomId();
      await refuses(set(documentName(collection, id), { x: 1 }));
      expect((await get(collection, id)).status).toBe(DENIED);
      expect((await query(collection)).status).toBe(DENIED);
    },
  );
});
