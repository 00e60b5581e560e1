import {
  ANALYTICS_WINDOW_MS,
  mergeSession,
  type SessionTotals,
  splitTotals,
  summarize,
  toSessionRecord,
} from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { exampleSession, exampleSignup, numbers, updateOf } from './examples.ts';
import { NOW, type SetUp } from './harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sessions, the summary of them, and their removal. */
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

    it.each([1, 2, 3, 4])('equals `summarize` at each relevant moment (%i)', async (seed) => {
      const { store, clock, sessions, signups } = await setUp();
      const random = numbers(seed);
      const people: string[] = [];
      for (let step = 0; step < 12; step += 1) {
        clock.now += [0, 1, HOUR_MS - 1, HOUR_MS, DAY_MS, 10 * DAY_MS][random(6)] ?? 0;
        const session = exampleSession(clock.now - random(2 * HOUR_MS), { visitor_id: `visitor-number-${random(4)}` });
        const totals = { page_count: 1 + random(3), total_duration: random(2) * random(60) };
        await store.updateSession(session.id, updateOf(session, totals));
        if (random(2) === 0) {
          const signup = exampleSignup({ session_id: session.id });
          await store.createSignup(signup);
          people.push(signup.email);
        }
      }
      const check = async () =>
        expect(await store.readSummary()).toEqual(summarize(await sessions(), (await signups()).length, clock.now));
      await check();
      for (const { session_start } of (await sessions()).slice(0, 4)) {
        for (const moment of [-1, 0, 1]) {
          clock.now = session_start + ANALYTICS_WINDOW_MS + moment;
          await check();
        }
      }
    });
  });

  it('prune: removes sessions that started before the time, in steps, and none that started at it', async () => {
    const { store, clock, sessions } = await setUp();
    for (let session = 0; session < 5; session += 1) await store.startSession(exampleSession(NOW));
    clock.now += 400 * DAY_MS;
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
