import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { ANALYTICS_WINDOW_MS, CLOCK_TOLERANCE_MS, type SessionStart, summarize } from 'early-access-kit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessions } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Steps to both sides of hours, of days and of the window's edge. */
const passing = fc.oneof(
  fc.constantFrom(0, 1, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1, DAY_MS, 29 * DAY_MS, 30 * DAY_MS, 31 * DAY_MS),
  fc.nat(3 * HOUR_MS),
);

const SESSIONS = 6;
const sessionIndex = fc.nat(SESSIONS - 1);

const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: passing }),
  fc.record({
    kind: fc.constant('start' as const),
    sessionIndex,
    lag: fc.integer({ min: -CLOCK_TOLERANCE_MS, max: 2 * CLOCK_TOLERANCE_MS }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    sessionIndex,
    page_count: fc.integer({ min: 1, max: 3 }),
    total_duration: fc.nat(100),
  }),
  fc.record({ kind: fc.constant('signup' as const), sessionIndex }),
  fc.record({ kind: fc.constant('erase' as const), sessionIndex }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('the summary', () => {
  const WINDOW_MS = 30 * 86_400_000;
  const NOON = Date.UTC(2026, 4, 1, 12);

  it.each([
    ['on a full hour', NOON],
    ['within an hour', NOON + 1_234_567],
    ['a millisecond before a full hour', NOON - 1],
  ])('counts a session for 30 x 86,400,000 ms and once, if it started %s', async (_, start) => {
    const clock = { now: start };
    const { store } = tempStore({ clock: () => clock.now });
    const session = sessionOf({ session_start: start });
    await store.updateSession(session.id, updateOf(session, { total_duration: 10 }));
    const another = sessionOf({ session_start: start });
    await store.updateSession(another.id, updateOf(another, { page_count: 2, total_duration: 20 }));
    clock.now = start + WINDOW_MS;
    expect(store.readSummary()).toEqual({
      unique_visitors: 2,
      email_signups: 0,
      bounce_rate: 50,
      average_duration: 15,
    });
    clock.now += 1;
    expect(store.readSummary()).toEqual({ unique_visitors: 0, email_signups: 0, bounce_rate: 0, average_duration: 0 });
  });

  it('counts a session that starts on the full hour at the edge of the window once', async () => {
    const clock = { now: NOON + 1_800_000 };
    const { store } = tempStore({ clock: () => clock.now });
    // Two durations whose average shows how often each was counted.
    for (const [session_start, total_duration] of [
      [NOON + 1_800_000, 10],
      [NOON + 3_600_000, 40],
    ] as const) {
      const session = sessionOf({ session_start });
      await store.updateSession(session.id, updateOf(session, { total_duration }));
    }
    clock.now += WINDOW_MS;
    expect(store.readSummary()).toMatchObject({ unique_visitors: 2, average_duration: 25 });
  });

  it('equals `summarize` after any history, at every relevant moment', async () => {
    const clock = { now: 0 };
    const { store, raw } = tempStore({ clock: () => clock.now });
    let round = 0;

    function check(): void {
      const signups = [...store.signups()].length;
      expect(store.readSummary()).toEqual(summarize(readSessions(raw), signups, clock.now));
    }

    async function act(action: Step, sessions: readonly SessionStart[]): Promise<void> {
      if (action.kind === 'wait') {
        clock.now += action.ms;
        return;
      }
      const session = sessions[action.sessionIndex];
      const email = `person-${action.sessionIndex}@example.org`;
      if (session === undefined) throw new Error('no such session');
      if (action.kind === 'start') {
        await store.startSession({ ...session, session_start: clock.now - action.lag });
      } else if (action.kind === 'update') {
        const { page_count, total_duration } = action;
        await store.updateSession(session.id, updateOf(session, { page_count, total_duration }));
      } else if (action.kind === 'signup') {
        await store.createSignup(signupOf({ email, session_id: session.id }));
      } else await store.erase(email);
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        // Each history starts long after the previous one on the same store, so earlier sessions are outside the window.
        round += 1;
        clock.now = 1_700_000_000_000 + round * 4_000 * DAY_MS;
        const before = readSessions(raw).length;
        const sessions = Array.from({ length: SESSIONS }, (_, sessionIndex) =>
          sessionOf({
            visitor_id: `visitor-${round}-${sessionIndex % 4}`,
            session_start: clock.now + sessionIndex * 1_234_567,
          }),
        );
        for (const action of steps) {
          await act(action, sessions);
          check();
        }
        // The sessions leave the window one by one, and their hours with or after them.
        for (const { session_start } of readSessions(raw).slice(before)) {
          for (const moment of [-1, 0, 1, HOUR_MS]) {
            clock.now = session_start + ANALYTICS_WINDOW_MS + moment;
            check();
          }
        }
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});
