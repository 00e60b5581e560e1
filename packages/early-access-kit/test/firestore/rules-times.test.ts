import { beforeEach, describe, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_MS } from '../../src/core/limits.ts';
import { randomId } from '../../src/core/random-id.ts';
import { clampDuration } from '../../src/core/session-checks.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { sessionFields, signupFields, signupId, visitorFields } from './records.ts';
import { change, documentName, type Fields, set } from './rest.ts';
import { ALLOWED, rulesFixture } from './rules.fixture.ts';

/** Tests time limits to the millisecond, with a fixed time instead of `request.time`. */

const NOW = 1_760_000_000_000;
const { commit, refuses, fields, fixTime } = rulesFixture();

const session = (record: Fields) => set(documentName('sessions', randomId()), record);

beforeEach(() => fixTime(NOW));

describe('a session', () => {
  it.each([-CLOCK_TOLERANCE_MS, CLOCK_TOLERANCE_MS])('can start %i ms off, but not one more', async (off) => {
    expect(await commit(session(sessionFields(NOW + off)))).toBe(ALLOWED);
    await refuses(session(sessionFields(NOW + off + Math.sign(off))));
  });

  it('has its end and its expiry checked to the millisecond', async () => {
    const times = (session_end: number, expiresAfter: number) => {
      const start = NOW - 60_000;
      return session({ ...sessionFields(start, { session_end }), expires_at: new Date(start + expiresAfter) });
    };
    const [earliest, latest] = [NOW - 60_000, NOW + DAY_MS];
    for (const end of [earliest, latest]) expect(await commit(times(end, DAY_MS))).toBe(ALLOWED);
    for (const end of [earliest - 1, latest + 1]) await refuses(times(end, DAY_MS));
    for (const expiry of [DAY_MS, 395 * DAY_MS]) expect(await commit(times(NOW, expiry))).toBe(ALLOWED);
    for (const expiry of [DAY_MS - 1, 395 * DAY_MS + 1]) await refuses(times(NOW, expiry));
  });

  it.each([
    [0, 60],
    [999, 60],
    [1_000, 61],
    [100_999, 160],
    [CLOCK_TOLERANCE_MS, 86_460],
    [-CLOCK_TOLERANCE_MS, 60],
  ])('%i ms after its start can have lasted %i seconds, but not one more', async (age, longest) => {
    const started = NOW - age;
    for (const total_duration of [longest, longest + 1]) {
      const clamped = clampDuration({ total_duration }, started, NOW).total_duration;
      expect(clamped).toBe(longest);
      const write = session(sessionFields(started, { total_duration }));
      if (total_duration === longest) expect(await commit(write)).toBe(ALLOWED);
      else await refuses(write);
    }
  });

  it('cannot be updated more than a day after its start', async () => {
    const name = documentName('sessions', randomId());
    await commit(set(name, sessionFields(NOW)));
    await fixTime(NOW + DAY_MS);
    expect(await commit(change(name, { click_count: 3 }))).toBe(ALLOWED);
    await fixTime(NOW + DAY_MS + 1);
    await refuses(change(name, { click_count: 4 }));
  });
});

describe('a visitor', () => {
  const visitor = (record: Fields) => set(documentName('visitors', randomId()), record);

  it('is stored, and updated later', async () => {
    const id = randomId();
    const name = documentName('visitors', id);
    expect(await commit(set(name, visitorFields(NOW)))).toBe(ALLOWED);
    const later = NOW + 20 * DAY_MS;
    await fixTime(later);
    expect(await commit(set(name, visitorFields(later)))).toBe(ALLOWED);
    expect(await fields('visitors', id)).toMatchObject({ last_seen: { integerValue: String(later) } });
  });

  it('can be at most a day off, and must expire within the days of retention after it', async () => {
    const latest = 396 * DAY_MS;
    for (const off of [-DAY_MS, DAY_MS]) {
      const last_seen = NOW + off;
      expect(await commit(visitor({ last_seen, expires_at: new Date(NOW + latest) }))).toBe(ALLOWED);
      await refuses(visitor({ last_seen: last_seen + Math.sign(off), expires_at: new Date(NOW + latest) }));
      await refuses(visitor({ last_seen, expires_at: new Date(NOW + latest + 1) }));
    }
  });
});

it('a signup has no time except the store’s', async () => {
  for (const created_at of [NOW - 1, NOW + 1]) {
    const record = signupFields();
    const name = documentName('email_signups', signupId(record.email));
    await refuses(set(name, { ...record, created_at: new Date(created_at) }));
  }
});
