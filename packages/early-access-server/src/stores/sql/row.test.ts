import { describe, expect, it } from 'vitest';
import { COPIED_TABLES, checksumOf, combined, isEqual } from './copied-tables.ts';
import { cursorKey, toPage } from './people-rows.ts';
import { afterEvent, toPersonRow } from './person-row.ts';
import { integer, integerOrNull, keyOf, oneOf, personId, rowIdOf, text, textOrNull } from './row.ts';

const KEY = new Uint8Array(32);

describe('a column', () => {
  const row = { number: 7, text: 'x', nothing: null };

  it('is read with its type', () => {
    expect([integer(row, 'number'), integerOrNull(row, 'number'), integerOrNull(row, 'nothing')]).toEqual([7, 7, null]);
    expect([text(row, 'text'), textOrNull(row, 'text'), textOrNull(row, 'nothing')]).toEqual(['x', 'x', null]);
    expect(oneOf(row, 'text', ['y', 'x'])).toBe('x');
    expect(cursorKey({ cursor_key: KEY })).toBe(KEY);
  });

  it.each([
    ['column text holds no number', () => integer(row, 'text')],
    ['column missing holds no number', () => integerOrNull(row, 'missing')],
    ['column number holds no text', () => text(row, 'number')],
    ['column number holds no text', () => text(undefined, 'number')],
    ['column text holds something unknown', () => oneOf(row, 'text', ['y'])],
    ['column cursor_key holds no bytes', () => cursorKey({ cursor_key: 'x' })],
  ])('with another type is an error: %s', (message, read) => {
    expect(read).toThrow(new TypeError(message));
  });
});

describe('a public id', () => {
  it('has the id of the row and of the submission', () => {
    expect(keyOf(personId(123_456_789_012_345, 'submission_1'))).toEqual([123_456_789_012_345, 'submission_1']);
    expect([rowIdOf('7'), rowIdOf('123456789012345')]).toEqual([7, 123_456_789_012_345]);
  });

  it.each(['', 'x', '-', '1-short', 'x1-submission_1', '1-submission_1!', '1234567890123456-submission_1'])(
    'is that of no row if it is %j',
    (id) => {
      expect(keyOf(id)).toEqual([0, '']);
      expect(rowIdOf(id)).toBe(0);
    },
  );

  it.each(['x7', '7x', '1234567890123456'])('of a row is no row if it is %j', (id) => {
    expect(rowIdOf(id)).toBe(0);
  });
});

it('an address that bounces remembers its state, and no other event does', () => {
  const person = toPersonRow({
    id: 1,
    email: 'a@x.io',
    submission_id: 'submission_1',
    state: 'invited',
    bounced_from: null,
  });
  expect(afterEvent(person, 'bounce')).toEqual({ state: 'bounced', bouncedFrom: 'invited' });
  expect(afterEvent(person, 'redeem')).toEqual({ state: 'joined', bouncedFrom: null });
  expect(afterEvent(person, 'confirm')).toBeNull();
});

it('a page has a cursor only if there are more people', () => {
  const row = (id: number) => ({
    id,
    email: `p${id}@x.io`,
    session_id: null,
    source: 'fair',
    referrer: null,
    submission_id: 'submission_1',
    created_at: id,
    page_url: null,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
    state: 'subscribed',
    fields: null,
    mail_state: null,
  });
  const rows = [1, 2, 3].map(row);
  const nextOf = (count: number) => toPage(rows.slice(0, count), 'oldest', 2, KEY).next;
  expect([nextOf(0), nextOf(1), nextOf(2)]).toEqual([null, null, null]);
  expect(nextOf(3)).toEqual(expect.any(String));
});

describe('checksums', () => {
  const [table] = COPIED_TABLES.filter(({ name }) => name === 'admin_weekly_emails');
  const of = (...rows: Record<string, string | number | null>[]) => {
    if (table === undefined) throw new Error('there is no such table');
    return checksumOf(table, rows);
  };

  it('differ if a value, the order or the number of rows does', () => {
    const [ada, bob] = [
      { email: 'ada', week: 1 },
      { email: 'bob', week: 1 },
    ];
    expect(isEqual(of(ada, bob), of({ ...ada }, { ...bob }))).toBe(true);
    const others = [
      of(ada),
      of(bob, ada),
      of({ email: 'ada', week: 2 }, bob),
      of(),
      of({ email: 'ada', week: null }, bob),
    ];
    for (const other of others) expect(isEqual(of(ada, bob), other)).toBe(false);
    expect(isEqual({ rows: 1, md5: 'x' }, { rows: 2, md5: 'x' })).toBe(false);
    expect(isEqual(of({ email: 'a', week: 'bc' }), of({ email: 'ab', week: 'c' }))).toBe(false);
  });

  it('of parts have all their rows, and depend on each and on their order', () => {
    const [one, two] = [of({ email: 'ada', week: 1 }), of({ email: 'bob', week: 1 }, { email: 'eve', week: 1 })];
    expect(combined([one, two]).rows).toBe(3);
    expect(combined([one, two]).md5).not.toBe(combined([two, one]).md5);
    expect(combined([one, two]).md5).not.toBe(combined([one]).md5);
  });

  it('are those of the texts that Postgres makes of its rows', () => {
    expect(of({ email: 'ada', week: null })).toEqual({ rows: 1, md5: 'c6e0c235f1567d9f1e316e76f5004e40' });
  });
});
