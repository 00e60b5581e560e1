import { describe, expect, it } from 'vitest';
import { MAX_TOTAL } from '../core/limits.ts';
import { toSessionRecord } from '../core/metrics.ts';
import type { SessionStart, SessionTotals } from '../core/records.ts';
import { DAY_MS, HOUR_MS } from '../core/time.ts';
import { getFailureCode, type WithFixture } from './contract.ts';
import { EXAMPLE_LANDING, exampleSession, exampleUpdate, permutations } from './examples.ts';

export function sessionContract(withFixture: WithFixture): void {
  describe('startSession', () => {
    it(
      'stores every field, and is a bounce until there is a second page view',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now, { referrer: 'https://search.example.net/', total_sessions: 3 });
        await adapter.startSession(session);
        expect((await contents()).sessions).toEqual([toSessionRecord(session)]);
      }),
    );

    it(
      'stores where the session started, even from an update whose start never arrived',
      withFixture(async ({ adapter, contents, clock }) => {
        const [started, updated] = [
          exampleSession(clock.now, EXAMPLE_LANDING),
          exampleSession(clock.now, EXAMPLE_LANDING),
        ];
        await adapter.startSession(started);
        await adapter.updateSession(started.id, exampleUpdate(started));
        await adapter.updateSession(updated.id, exampleUpdate(updated));
        const { sessions } = await contents();
        expect(sessions).toHaveLength(2);
        for (const session of sessions) expect(session).toMatchObject(EXAMPLE_LANDING);
      }),
    );

    it(
      'stores one record when started twice, at once or later',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now);
        await Promise.all([adapter.startSession(session), adapter.startSession(session)]);
        await adapter.startSession(session);
        expect((await contents()).sessions).toEqual([toSessionRecord(session)]);
      }),
    );

    it(
      'does not lower the totals of an earlier update',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now);
        const totals = {
          session_end: clock.now,
          page_count: 2,
          total_duration: 9,
          max_scroll_depth: 50,
          click_count: 1,
        };
        await adapter.updateSession(session.id, exampleUpdate(session, totals));
        await adapter.startSession(session);
        expect((await contents()).sessions).toEqual([toSessionRecord(session, totals)]);
      }),
    );

    it(
      'replaces a start that is more than a day off',
      withFixture(async ({ adapter, contents, clock }) => {
        for (const session_start of [0, clock.now - 400 * DAY_MS, clock.now + 400 * DAY_MS]) {
          await adapter.startSession(exampleSession(clock.now, { session_start }));
        }
        const { sessions } = await contents();
        expect(sessions).toHaveLength(3);
        for (const session of sessions) expect(Math.abs(session.session_start - clock.now)).toBeLessThan(60_000);
      }),
    );

    const broken: [string, Partial<Record<keyof SessionStart, unknown>>][] = [
      ['a malformed id', { id: '../../x' }],
      ['an id that is too long', { id: 'x'.repeat(65) }],
      ['a malformed visitor id', { visitor_id: '' }],
      ['a start that is not a number', { session_start: '2025-01-01' }],
      ['an unknown device', { device_type: 'fridge' }],
      ['an unknown browser', { browser: 'Mosaic' }],
      ['an unknown system', { os: 'BeOS' }],
      ['a user agent that is too long', { user_agent: 'x'.repeat(1_025) }],
      ['a flag that is not a boolean', { is_returning_visitor: 'yes' }],
      ['zero sessions', { total_sessions: 0 }],
      ['a landing path that is too long', { landing_path: 'x'.repeat(1_025) }],
      ['a campaign with a control character', { utm_source: 'a\u0000' }],
      ['a campaign that is null', { utm_campaign: null }],
    ];
    it.each(broken)('rejects %s and stores nothing', (_, fields) =>
      withFixture(async ({ adapter, contents, clock }) => {
        const session = Object.assign(exampleSession(clock.now), fields);
        expect(await getFailureCode(adapter.startSession(session))).toBe('invalid');
        expect((await contents()).sessions).toEqual([]);
      })(),
    );
  });

  describe('updateSession', () => {
    it(
      'stores an update whose start never arrived',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now);
        const totals = {
          session_end: clock.now,
          page_count: 1,
          total_duration: 42,
          max_scroll_depth: 80,
          click_count: 3,
        };
        await adapter.updateSession(session.id, exampleUpdate(session, totals), { final: true });
        expect((await contents()).sessions).toEqual([toSessionRecord(session, totals)]);
      }),
    );

    it(
      'stores an update with the path of its page like one without it',
      withFixture(async ({ adapter, contents, clock }) => {
        const [started, updated] = [exampleSession(clock.now), exampleSession(clock.now)];
        await adapter.startSession(started);
        for (const session of [started, updated]) {
          await adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2, page_path: '/prices' }));
        }
        const expected = [started, updated].map((session) => ({
          ...toSessionRecord(session),
          page_count: 2,
          is_bounce: false,
        }));
        expect((await contents()).sessions).toEqual(expect.arrayContaining(expected));
      }),
    );

    it(
      'gives the same record for every order and repetition of the same updates',
      withFixture(async ({ adapter, contents, clock }) => {
        const flushes: Partial<SessionTotals>[] = [
          { page_count: 2, total_duration: 5 },
          { session_end: clock.now - 2_000, page_count: 2, total_duration: 31, max_scroll_depth: 40, click_count: 2 },
          { session_end: clock.now - 1_000, page_count: 1, total_duration: 12, max_scroll_depth: 90, click_count: 7 },
        ];
        const expected = {
          session_end: clock.now - 1_000,
          page_count: 2,
          total_duration: 31,
          max_scroll_depth: 90,
          click_count: 7,
          is_bounce: false,
        };
        const started = clock.now - 60_000;
        await Promise.all(
          permutations(['start' as const, ...flushes]).map(async (order) => {
            const session = exampleSession(started);
            for (const call of [...order, ...order.slice(0, 2)]) {
              if (call === 'start') await adapter.startSession(session);
              else await adapter.updateSession(session.id, exampleUpdate(session, call));
            }
          }),
        );
        const { sessions } = await contents();
        expect(sessions).toHaveLength(24);
        for (const session of sessions) expect(session).toMatchObject(expected);
      }),
    );

    it(
      'merges concurrent updates from several tabs of one session',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now - 60_000);
        const tabs = Array.from({ length: 10 }, (_, tab) =>
          exampleUpdate(session, {
            session_end: clock.now - tab,
            page_count: tab + 1,
            total_duration: 60 - tab,
            max_scroll_depth: tab * 10,
            click_count: tab % 3,
          }),
        );
        await Promise.all(tabs.map((update) => adapter.updateSession(session.id, update, { final: true })));
        expect((await contents()).sessions).toEqual([
          toSessionRecord(session, {
            session_end: clock.now,
            page_count: 10,
            total_duration: 60,
            max_scroll_depth: 90,
            click_count: 2,
          }),
        ]);
      }),
    );

    it(
      'keeps the first start fields, and keeps an end after an update without one',
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now);
        await adapter.startSession(session);
        await adapter.updateSession(session.id, exampleUpdate(session, { session_end: clock.now, total_duration: 4 }));
        const forged = exampleSession(clock.now, { id: session.id, os: 'Windows', total_sessions: 99 });
        await adapter.updateSession(session.id, exampleUpdate(forged, { page_count: 2 }));
        expect((await contents()).sessions).toEqual([
          { ...toSessionRecord(session), session_end: clock.now, total_duration: 4, page_count: 2, is_bounce: false },
        ]);
      }),
    );

    it(
      'limits an end in the future or before the start',
      withFixture(async ({ adapter, contents, clock }) => {
        for (const session_end of [0, clock.now + 400 * DAY_MS]) {
          const session = exampleSession(clock.now);
          await adapter.updateSession(session.id, exampleUpdate(session, { session_end }));
        }
        const { sessions } = await contents();
        expect(sessions).toHaveLength(2);
        for (const { session_end } of sessions) {
          expect(Math.abs((session_end ?? 0) - clock.now)).toBeLessThan(60_000);
        }
      }),
    );

    it(
      'limits the duration to the time since the stored start',
      withFixture(async ({ adapter, contents, clock }) => {
        const sessions = [0, 1_000_000].map((age) => exampleSession(clock.now - age));
        for (const session of sessions) {
          await adapter.startSession(session);
          // A different start in the update changes nothing.
          const older = { ...session, session_start: session.session_start - HOUR_MS };
          await adapter.updateSession(
            session.id,
            exampleUpdate(older, { total_duration: MAX_TOTAL.total_duration, page_count: 2 }),
          );
          await adapter.updateSession(session.id, exampleUpdate(session, { total_duration: MAX_TOTAL.total_duration }));
        }
        const unstarted = exampleSession(clock.now);
        await adapter.updateSession(unstarted.id, exampleUpdate(unstarted, { total_duration: 31_536_000 }));
        const durations = new Map((await contents()).sessions.map(({ id, total_duration }) => [id, total_duration]));
        for (const [session, age] of [
          [sessions[0], 0] as const,
          [sessions[1], 1_000] as const,
          [unstarted, 0] as const,
        ]) {
          expect(durations.get(session?.id ?? '')).toBeGreaterThanOrEqual(age);
          expect(durations.get(session?.id ?? '')).toBeLessThan(age + 120);
        }
      }),
    );

    const broken: [string, Partial<Record<keyof SessionTotals, unknown>>][] = [
      ['no page view', { page_count: 0 }],
      ['half a page view', { page_count: 1.5 }],
      ['a negative duration', { total_duration: -1 }],
      ['a duration beyond a year', { total_duration: MAX_TOTAL.total_duration + 1 }],
      ['more than 100 percent of the page', { max_scroll_depth: 101 }],
      ['clicks that are not a number', { click_count: '3' }],
      ['an end that is not a time', { session_end: 'now' }],
    ];
    it.each(broken)('rejects %s and changes nothing', (_, fields) =>
      withFixture(async ({ adapter, contents, clock }) => {
        const session = exampleSession(clock.now);
        await adapter.startSession(session);
        const update = Object.assign(exampleUpdate(session, { page_count: 3 }), fields);
        expect(await getFailureCode(adapter.updateSession(session.id, update))).toBe('invalid');
        expect((await contents()).sessions).toEqual([toSessionRecord(session)]);
      })(),
    );

    it(
      'rejects a malformed id',
      withFixture(async ({ adapter, contents, clock }) => {
        const update = exampleUpdate(exampleSession(clock.now));
        for (const id of ['x', '../signups', 'a'.repeat(65), 'a b c d e f']) {
          expect(await getFailureCode(adapter.updateSession(id, update))).toBe('invalid');
        }
        expect((await contents()).sessions).toEqual([]);
      }),
    );
  });
}
