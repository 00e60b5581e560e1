import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXAMPLE_ATTRIBUTION,
  EXAMPLE_LANDING,
  exampleSession,
  exampleSignup,
  exampleUpdate,
} from '../testing/examples.ts';
import { clampDuration, clampTimes } from './clamp-times.ts';
import { isStorageError } from './errors.ts';
import { CLOCK_TOLERANCE_MS } from './limits.ts';
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
      { numRuns: 500 },
    );
  });
});

describe('records', () => {
  const records = [
    { name: 'signup', parse: parseSignup, record: exampleSignup(EXAMPLE_ATTRIBUTION) },
    { name: 'signup of unknown origin', parse: parseSignup, record: exampleSignup() },
    { name: 'session', parse: parseSessionStart, record: exampleSession(NOW, EXAMPLE_LANDING) },
    { name: 'session of an older client', parse: parseSessionStart, record: exampleSession(NOW) },
    { name: 'update', parse: parseSessionUpdate, record: exampleUpdate(exampleSession(NOW, EXAMPLE_LANDING)) },
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

describe('hostile input', () => {
  const LENGTH = 100_000;
  const records = [
    [parseSignup, exampleSignup(EXAMPLE_ATTRIBUTION)] as const,
    [parseSessionStart, exampleSession(NOW, EXAMPLE_LANDING)] as const,
    [parseSessionUpdate, exampleUpdate(exampleSession(NOW, EXAMPLE_LANDING))] as const,
  ];
  const fields = records.flatMap(([parse, record]) =>
    Object.entries(record)
      .filter(([, value]) => typeof value === 'string')
      .map(([field]) => ({ field, parse: (value: string) => parse({ ...record, [field]: value }) })),
  );

  it.each(fields)('in $field takes about as long as plain input of the same length', ({ parse }) => {
    const once = (input: string) => {
      const started = performance.now();
      for (let turn = 0; turn < 200; turn += 1) {
        try {
          parse(input);
        } catch {}
      }
      return performance.now() - started;
    };
    // The fastest of three, because other work on the machine only ever makes a measurement longer.
    const milliseconds = (input: string) => Math.min(once(input), once(input), once(input));
    for (const piece of ['\u0300\u0323', '@.', 'a-', '\ud83d', '\u0000', ' ', '%']) {
      const plain = Math.max(milliseconds('a'.repeat(LENGTH)), 1);
      expect(milliseconds(piece.repeat(LENGTH / piece.length)) / plain).toBeLessThan(50);
    }
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

describe('clampDuration', () => {
  it.each([
    ['a year in a session that started now', NOW, 31_536_000, 60],
    ['what the clock allows plus a minute', NOW - 100_999, 160, 160],
    ['one second more than that', NOW - 100_999, 161, 160],
    ['a short session', NOW - 100_000, 7, 7],
    ['a session that starts in the future', NOW + 3_600_000, 61, 60],
  ])('%s', (_, sessionStart, claimed, expected) => {
    const totals = { total_duration: claimed, page_count: 3 };
    expect(clampDuration(totals, sessionStart, NOW)).toEqual({ total_duration: expected, page_count: 3 });
  });
});
