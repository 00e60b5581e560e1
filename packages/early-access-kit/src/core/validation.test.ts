import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXAMPLE_ATTRIBUTION,
  EXAMPLE_LANDING,
  exampleSession,
  exampleSignup,
  exampleUpdate,
} from '../testing/examples.ts';
import { isStorageError } from './errors.ts';
import { CLOCK_TOLERANCE_MS } from './limits.ts';
import { clampDuration, clampTimes } from './session-checks.ts';
import { parseEmail, parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from './validation.ts';

const NOW = 1_760_000_000_000;
const parsers = { parseSignup, parseEmail, parseSessionStart, parseSessionId, parseSessionUpdate };

describe.each(Object.entries(parsers))('%s', (_, parse) => {
  it('returns a record or throws with code invalid for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        try {
          parse(value);
        } catch (error) {
          expect(isStorageError(error) && error.code).toBe('invalid');
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('records', () => {
  const records = [
    { name: 'signup', parse: parseSignup, record: exampleSignup(EXAMPLE_ATTRIBUTION) },
    { name: 'signup of unknown origin', parse: parseSignup, record: exampleSignup() },
    { name: 'session', parse: parseSessionStart, record: exampleSession(NOW, EXAMPLE_LANDING) },
    { name: 'session of an older client', parse: parseSessionStart, record: exampleSession(NOW) },
    {
      name: 'update',
      parse: parseSessionUpdate,
      record: exampleUpdate(exampleSession(NOW, EXAMPLE_LANDING), { page_path: '/prices' }),
    },
  ];

  it.each(records)('a valid $name passes unchanged, without unknown fields', ({ parse, record }) => {
    expect(parse(record)).toEqual(record);
    expect(parse({ ...record, is_admin: true, created_at: 1 })).toEqual(record);
  });

  it.each(records)(
    'a $name is rejected if any field has another type, and the error does not repeat its value',
    ({ parse, record }) => {
      for (const field of Object.keys(record)) {
        for (const value of [{ secret: 'hunter2' }, ['hunter2'], Number.NaN, () => 'hunter2']) {
          let message = '';
          try {
            parse({ ...record, [field]: value });
          } catch (error) {
            message = isStorageError(error) ? error.message : '';
          }
          expect(message).toContain(field);
          expect(message).not.toContain('hunter2');
        }
      }
    },
  );
});

describe('limits', () => {
  const signup = exampleSignup(EXAMPLE_ATTRIBUTION);
  const session = exampleSession(NOW, EXAMPLE_LANDING);
  const update = exampleUpdate(session);

  it.each([
    ['source', parseSignup, signup, 64],
    ['referrer', parseSignup, signup, 2_048],
    ['page_url', parseSignup, signup, 2_048],
    ['utm_source', parseSignup, signup, 256],
    ['utm_content', parseSignup, signup, 256],
    ['referrer', parseSessionStart, session, 2_048],
    ['user_agent', parseSessionStart, session, 1_024],
    ['landing_path', parseSessionStart, session, 1_024],
    ['utm_term', parseSessionUpdate, update, 256],
    ['page_path', parseSessionUpdate, update, 1_024],
  ] as const)('%s has a maximum length', (field, parse, record, max) => {
    const longest = { ...record, [field]: 'x'.repeat(max) };
    expect(parse(longest)).toEqual(longest);
    expect(() => parse({ ...record, [field]: 'x'.repeat(max + 1) })).toThrow(
      `${field} must be text of at most ${max} characters without control characters`,
    );
  });

  it.each([
    ['total_sessions', 1, 1_000_000],
    ['page_count', 1, 100_000],
    ['total_duration', 0, 31_536_000],
    ['max_scroll_depth', 0, 100],
    ['click_count', 0, 1_000_000],
    ['session_start', 0, 253_402_300_799_999],
    ['session_end', 0, 253_402_300_799_999],
  ])('%s is an integer from %i to %i', (field, min, max) => {
    for (const value of [min, max])
      expect(parseSessionUpdate({ ...update, [field]: value })).toHaveProperty(field, value);
    for (const value of [min - 1, max + 1, min + 0.5, `${min}`]) {
      expect(() => parseSessionUpdate({ ...update, [field]: value })).toThrow(
        `${field} must be a whole number from ${min} to ${max}`,
      );
    }
  });

  it.each(['abcdefgh', 'A-b_9'.padEnd(64, 'x'), '__abcdef', 'abcdef__'])('the id %s is valid', (id) => {
    expect(parseSessionId(id)).toBe(id);
  });

  it.each([
    ...['abcdefg', 'x'.repeat(65), ' abcdefgh', 'abcdefgh ', 'abc/defgh', '........', 5],
    // Reserved by Firestore.
    ...['________', '__abcd__'],
  ])('the id %s is invalid', (id) => {
    expect(() => parseSessionId(id)).toThrow(
      'id must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"',
    );
  });

  it.each<[string, () => unknown, string]>([
    ['an email', () => parseEmail('ada'), 'email must be a valid email address'],
    ['an email that is no text', () => parseEmail(5), 'email must be a valid email address'],
    ['a signup', () => parseSignup('ada@example.org'), 'signup must be an object'],
    ['a session', () => parseSessionStart(null), 'session must be an object'],
    ['an update', () => parseSessionUpdate([]), 'session update must be an object'],
    [
      'a flag',
      () => parseSessionStart({ ...session, is_returning_visitor: 1 }),
      'is_returning_visitor must be true or false',
    ],
    [
      'a device',
      () => parseSessionStart({ ...session, device_type: 'tv' }),
      'device_type must be one of desktop, tablet, mobile',
    ],
    ['a referrer', () => parseSignup({ ...signup, referrer: 5 }), 'referrer must be text'],
    ['a session id', () => parseSignup({ ...signup, session_id: 5 }), 'session_id must be 8 to 64'],
  ])('describes what is wrong with %s', (_, parse, message) => {
    expect(parse).toThrow(message);
  });

  it('treats missing values as null', () => {
    const { referrer: _, session_id: __, ...rest } = signup;
    expect(parseSignup(rest)).toEqual({ ...signup, referrer: null, session_id: null });
  });
});

describe('clampTimes', () => {
  it('does not change times from a clock that is less than a day off', () => {
    const session = { session_start: NOW - CLOCK_TOLERANCE_MS, session_end: NOW };
    expect(clampTimes(session, NOW)).toEqual(session);
  });

  it('replaces a start that is more than a day off with the current time', () => {
    expect(clampTimes({ session_start: 0, session_end: 5_000 }, NOW)).toEqual({
      session_start: NOW,
      session_end: NOW,
    });
  });

  it('limits the end to between the start and now', () => {
    const time = fc.integer({ min: NOW - 3 * CLOCK_TOLERANCE_MS, max: NOW + 3 * CLOCK_TOLERANCE_MS });
    fc.assert(
      fc.property(time, time, (session_start, session_end) => {
        const { session_start: start, session_end: end } = clampTimes({ session_start, session_end }, NOW);
        expect(Math.abs(start - NOW)).toBeLessThanOrEqual(CLOCK_TOLERANCE_MS);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(Math.max(start, NOW));
      }),
    );
  });
});

it.each([
  ['a year in a session that started now', NOW, 31_536_000, 60],
  ['what the clock allows plus a minute', NOW - 100_999, 160, 160],
  ['one second more than that', NOW - 100_999, 161, 160],
  ['a short session', NOW - 100_000, 7, 7],
  ['a session that starts in the future', NOW + 3_600_000, 61, 60],
])('clampDuration %s', (_, sessionStart, claimed, expected) => {
  const totals = { total_duration: claimed, page_count: 3 };
  expect(clampDuration(totals, sessionStart, NOW)).toEqual({ total_duration: expected, page_count: 3 });
});
