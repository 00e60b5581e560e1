import {
  ANALYTICS_WINDOW_MS,
  DAY_MS,
  HOUR_MS,
  mergeSession,
  type SessionTotals,
  splitTotals,
  summarize,
  toSessionRecord,
} from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { exampleSession, exampleSignup, numbers, updateOf } from './examples.ts';
import { NOW, type SetUp } from './harness.ts';

/** A full hour. */
const NOON = Date.UTC(2026, 4, 1, 12);

export function sessionContract(setUp: SetUp): void {
  describe('sessions', () => {
    it('are stored once, however often they are started', async () => {
      const { store, sessions } = await setUp();
      const session = exampleSession(NOW - 1_000);
      await Promise.all([store.startSession(session), store.startSession(session)]);
      await store.updateSession(session.id, updateOf(session, { page_count: 2 }));
      await store.startSession({ ...session, session_start: NOW, os: 'Windows' });
      expect(await sessions()).toEqual([{ ...toSessionRecord(session), page_count: 2, is_bounce: false }]);
    });

    it('are stored by an update if their start was lost', async () => {
      const { store, sessions } = await setUp();
      const session = exampleSession(NOW - HOUR_MS);
      const update = updateOf(session, { session_end: NOW, total_duration: 30, max_scroll_depth: 40, click_count: 2 });
      await store.updateSession(session.id, update);
      expect(await sessions()).toEqual([toSessionRecord(session, splitTotals(update).totals)]);
    });

    it.each([1, 2, 3, 4, 5, 6])(
      'are the same after the same updates in any order, repeated or at once (%i)',
      async (seed) => {
        const { store, sessions } = await setUp();
        const random = numbers(seed);
        const session = exampleSession(NOW - HOUR_MS);
        const updates = Array.from(
          { length: 5 },
          (): SessionTotals => ({
            session_end: random(3) === 0 ? null : NOW - random(HOUR_MS),
            page_count: 1 + random(3),
            total_duration: random(3_600),
            max_scroll_depth: random(101),
            click_count: random(9),
          }),
        );
        const shuffled = [...updates, ...updates].toSorted(() => random(3) - 1);
        const send = (totals: SessionTotals) => store.updateSession(session.id, updateOf(session, totals));
        if (seed % 3 === 0) await Promise.all(shuffled.map(send));
        else for (const totals of shuffled) await send(totals);
        expect(await sessions()).toEqual([updates.reduce(mergeSession, toSessionRecord(session))]);
      },
    );

    it('have clamped times: no start a day away, no end in the future, no duration longer than the time since the start', async () => {
      const { store, sessions } = await setUp();
      const wrong = exampleSession(NOW - 2 * DAY_MS, { id: 'session-wrong-start' });
      const long = exampleSession(NOW - 10_000, { id: 'session-too-long' });
      await store.startSession(wrong);
      await store.updateSession(long.id, updateOf(long, { session_end: NOW + HOUR_MS, total_duration: 9_999 }));
      const byId = (await sessions()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId).toMatchObject([
        { id: long.id, session_end: NOW, total_duration: 10 + 60 },
        { id: wrong.id, session_start: NOW },
      ]);
    });

    it('continue when the clock is set back', async () => {
      const { store, clock, sessions } = await setUp();
      const session = exampleSession(NOW);
      await store.startSession(session);
      clock.now -= HOUR_MS;
      await store.updateSession(session.id, updateOf(session, { page_count: 2, total_duration: 60 }));
      expect(await sessions()).toMatchObject([
        { id: session.id, session_start: NOW, page_count: 2, total_duration: 60, is_bounce: false },
      ]);
    });
  });

  describe('readSummary', () => {
    it('is zero for an empty database', async () => {
      const { store } = await setUp();
      expect(await store.readSummary()).toEqual(summarize([], 0, NOW));
    });

    it.each([NOON, NOON + 1_234_567, NOON - 1])(
      'counts a session that started at %i for the whole window, and once',
      async (start) => {
        const { store, clock } = await setUp();
        clock.now = start;
        for (const [page_count, total_duration] of [
          [1, 10],
          [2, 20],
        ] as const) {
          const session = exampleSession(start);
          await store.updateSession(session.id, updateOf(session, { page_count, total_duration }));
        }
        clock.now = start + ANALYTICS_WINDOW_MS;
        expect(await store.readSummary()).toEqual({
          unique_visitors: 2,
          email_signups: 0,
          bounce_rate: 50,
          average_duration: 15,
        });
        clock.now += 1;
        expect(await store.readSummary()).toEqual(summarize([], 0, clock.now));
      },
    );

    it('counts a session that starts on the full hour at the edge of the window once', async () => {
      const { store, clock } = await setUp();
      clock.now = NOON + HOUR_MS / 2;
      // Two durations whose average reveals how often each was counted.
      for (const [session_start, total_duration] of [
        [clock.now, 10],
        [NOON + HOUR_MS, 40],
      ] as const) {
        const session = exampleSession(session_start);
        await store.updateSession(session.id, updateOf(session, { total_duration }));
      }
      clock.now += ANALYTICS_WINDOW_MS;
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 2, average_duration: 25 });
    });

    it('counts each visitor once, however their sessions lie around the edge of the window', async () => {
      const { store, clock, sessions } = await setUp();
      const edge = NOON + HOUR_MS / 2;
      const minutes = {
        'before and at the edge and later': [-20, 0, 20, 90],
        'before only': [-25],
        'before and later': [-20, 120],
        'in the hour of the edge': [1, 1, 5],
        'in two hours': [10, 100],
        'later, twice in an hour': [130, 131],
      };
      for (const [visitor, starts] of Object.entries(minutes)) {
        for (const start of starts.toReversed()) {
          clock.now = edge + start * 60_000;
          const visitor_id = visitor.replaceAll(/\W/g, '-');
          await store.startSession(exampleSession(clock.now, { visitor_id }));
        }
      }
      clock.now = edge + ANALYTICS_WINDOW_MS;
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 5 });
      expect(await store.readSummary()).toEqual(summarize(await sessions(), 0, clock.now));
      clock.now += 5 * 60_000 + 1;
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 4 });
    });

    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'equals `summarize` after a random history, at each relevant moment (%i)',
      async (seed) => {
        const { store, clock, sessions, signups } = await setUp();
        const random = numbers(seed);
        const known = Array.from({ length: 6 }, (_, number) =>
          exampleSession(NOW + number * 1_234_567, { visitor_id: `visitor-number-${number % 4}` }),
        );
        const check = async () =>
          expect(await store.readSummary()).toEqual(summarize(await sessions(), (await signups()).length, clock.now));
        for (let step = 0; step < 20; step += 1) {
          const number = random(known.length);
          const session = known[number] ?? exampleSession(clock.now);
          const email = `person-${number}@example.org`;
          const act = [
            () => {
              clock.now += [0, 1, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1, DAY_MS, 29 * DAY_MS, 30 * DAY_MS][random(8)] ?? 0;
            },
            () => store.startSession({ ...session, session_start: clock.now - random(3 * DAY_MS) + DAY_MS }),
            () =>
              store.updateSession(
                session.id,
                updateOf(session, { page_count: 1 + random(3), total_duration: random(2) * random(100) }),
              ),
            () => store.createSignup(exampleSignup({ email, session_id: session.id })),
            () => store.erase(email),
          ][random(5)];
          await act?.();
          await check();
        }
        // Sessions leave the window one by one, together with or before their hours.
        for (const { session_start } of await sessions()) {
          for (const moment of [-1, 0, 1, HOUR_MS]) {
            clock.now = session_start + ANALYTICS_WINDOW_MS + moment;
            await check();
          }
        }
      },
    );
  });

  it('prune: removes sessions that started before the time, in steps, and none that started at it', async () => {
    const { store, clock, sessions } = await setUp();
    for (let session = 0; session < 5; session += 1) await store.startSession(exampleSession(NOW));
    // Firestore counts each day in its own transaction.
    clock.now += 40 * DAY_MS;
    const recent = exampleSession(clock.now);
    await store.startSession(recent);
    expect(await store.prune(NOW, 3)).toBe(0);
    expect(await store.prune(clock.now, 3)).toBeGreaterThanOrEqual(3);
    expect(await sessions()).toHaveLength(3);
    expect(await store.prune(clock.now, 3)).toBeGreaterThanOrEqual(2);
    expect(await store.prune(clock.now, 3)).toBe(0);
    expect((await sessions()).map(({ id }) => id)).toEqual([recent.id]);
  });
}
