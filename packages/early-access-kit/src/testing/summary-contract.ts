import { describe, expect, it } from 'vitest';
import type { AnalyticsSummary, SessionTotals } from '../core/records.ts';
import { DAY_MS } from '../core/time.ts';
import { ADMIN_EMAIL, type ContractFixture, getFailureCode, type WithFixture } from './contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from './examples.ts';

export function summaryContract(withFixture: WithFixture): void {
  describe('readSummary', () => {
    it(
      'is all zeros for an empty store',
      withFixture(async ({ adapter }) => {
        expect(await adapter.readSummary(ADMIN_EMAIL)).toEqual({
          unique_visitors: 0,
          email_signups: 0,
          bounce_rate: 0,
          average_duration: 0,
        });
      }),
    );

    it(
      'counts visitors once, all signups, bounces in percent, and averages only sessions with a duration',
      withFixture(async (fixture) => {
        const { adapter } = fixture;
        await recordSession(fixture, 'visitor-one', 0, { page_count: 1, total_duration: 0 });
        await recordSession(fixture, 'visitor-one', 100_000, { page_count: 4, total_duration: 100 });
        await recordSession(fixture, 'visitor-two', 31_000, { page_count: 1, total_duration: 31 });
        for (let count = 0; count < 4; count += 1) await adapter.createSignup(exampleSignup());
        expect(await adapter.readSummary(ADMIN_EMAIL)).toEqual({
          unique_visitors: 2,
          email_signups: 4,
          bounce_rate: 66.67,
          average_duration: 66,
        });
      }),
    );

    it(
      'follows a session as it grows',
      withFixture(async ({ adapter, clock }) => {
        const session = exampleSession(clock.now);
        await adapter.startSession(session);
        expect(await adapter.readSummary(ADMIN_EMAIL)).toMatchObject({ bounce_rate: 100, average_duration: 0 });
        for (const total_duration of [10, 30, 20]) {
          await adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2, total_duration }));
        }
        expect(await adapter.readSummary(ADMIN_EMAIL)).toMatchObject({
          unique_visitors: 1,
          bounce_rate: 0,
          average_duration: 30,
        });
      }),
    );

    it(
      'is only for the admin, in any spelling of the address',
      withFixture(async ({ adapter }) => {
        expect(await getFailureCode(adapter.readSummary(` ${ADMIN_EMAIL.toUpperCase()} `))).toBe('none');
        for (const email of ['somebody@example.com', 'owner@example.co', '']) {
          expect(await getFailureCode(adapter.readSummary(email))).toBe('forbidden');
        }
      }),
    );
  });
}

export function clockContract(withFixture: WithFixture): void {
  describe('readSummary', () => {
    it(
      'covers exactly the sessions that started in the last 30 days',
      withFixture(async (fixture) => {
        const { adapter, clock } = fixture;
        const WINDOW_MS = 30 * DAY_MS;
        const first = clock.now;
        await adapter.createSignup(exampleSignup());
        for (const { minute, visitor, ...totals } of SESSIONS) {
          clock.now = first + minute * 60_000;
          await recordSession(fixture, visitor, 0, totals);
        }
        for (const [index, { minute }] of SESSIONS.entries()) {
          for (const [late, summary] of [
            [-1, SUMMARIES[index]],
            [0, SUMMARIES[index]],
            [1, SUMMARIES[index + 1]],
          ] as const) {
            clock.now = first + minute * 60_000 + WINDOW_MS + late;
            expect(await adapter.readSummary(ADMIN_EMAIL)).toEqual(summary);
          }
        }
      }),
    );
  });
}

const SESSIONS = [
  { minute: 0, visitor: 'visitor-one', page_count: 1, total_duration: 0 },
  { minute: 1, visitor: 'visitor-two', page_count: 2, total_duration: 10 },
  { minute: 59, visitor: 'visitor-one', page_count: 1, total_duration: 21 },
  { minute: 60, visitor: 'visitor-two', page_count: 3, total_duration: 30 },
  { minute: 600, visitor: 'visitor-three', page_count: 1, total_duration: 50 },
] as const;

/**
 * The summaries of all those sessions, of all but the first, and so on to none. Literals, because stores may compute
 * them with `core`.
 */
const SUMMARIES: readonly AnalyticsSummary[] = [
  { unique_visitors: 3, email_signups: 1, bounce_rate: 60, average_duration: 28 },
  { unique_visitors: 3, email_signups: 1, bounce_rate: 50, average_duration: 28 },
  { unique_visitors: 3, email_signups: 1, bounce_rate: 66.67, average_duration: 34 },
  { unique_visitors: 2, email_signups: 1, bounce_rate: 50, average_duration: 40 },
  { unique_visitors: 1, email_signups: 1, bounce_rate: 100, average_duration: 50 },
  { unique_visitors: 0, email_signups: 1, bounce_rate: 0, average_duration: 0 },
];

async function recordSession(
  { adapter, clock }: ContractFixture,
  visitor_id: string,
  ageMs: number,
  totals: Partial<SessionTotals>,
): Promise<void> {
  const session = exampleSession(clock.now - ageMs, { visitor_id });
  await adapter.startSession(session);
  await adapter.updateSession(session.id, exampleUpdate(session, totals), { final: true });
}
