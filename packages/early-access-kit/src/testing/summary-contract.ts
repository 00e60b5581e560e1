import { describe, expect, it } from 'vitest';
import { ANALYTICS_WINDOW_MS } from '../core/limits.ts';
import { summarize } from '../core/metrics.ts';
import type { SessionTotals } from '../core/records.ts';
import { ADMIN_EMAIL, type Bench, failureOf, type WithBench } from './contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from './examples.ts';

export function summaryContract(withBench: WithBench, can: { clock: boolean }): void {
  describe('readSummary', () => {
    it(
      'is all zeros for an empty store',
      withBench(async ({ adapter }) => {
        expect(await adapter.readSummary(ADMIN_EMAIL)).toEqual({
          unique_visitors: 0,
          email_signups: 0,
          bounce_rate: 0,
          average_duration: 0,
        });
      }),
    );

    it(
      'counts visitors once, sign-ups all, bounces in percent, and only visits that lasted towards the average',
      withBench(async (bench) => {
        const { adapter } = bench;
        await visit(bench, 'visitor-one', { page_count: 1, total_duration: 0 });
        await visit(bench, 'visitor-one', { page_count: 4, total_duration: 100 });
        await visit(bench, 'visitor-two', { page_count: 1, total_duration: 31 });
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
      'follows a visit as it grows',
      withBench(async ({ adapter, clock }) => {
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
      'is for the owner alone, in any spelling of the address',
      withBench(async ({ adapter }) => {
        expect(await failureOf(adapter.readSummary(` ${ADMIN_EMAIL.toUpperCase()} `))).toBe('none');
        for (const email of ['somebody@example.com', 'owner@example.co', '']) {
          expect(await failureOf(adapter.readSummary(email))).toBe('forbidden');
        }
      }),
    );

    if (can.clock) {
      it(
        'covers exactly the visits that started in the last 30 days, and equals the definition',
        withBench(async (bench) => {
          const { adapter, clock, contents } = bench;
          const first = clock.now;
          await adapter.createSignup(exampleSignup());
          for (const minutes of [0, 1, 59, 61, 600]) {
            clock.now = first + minutes * 60_000;
            await visit(bench, `visitor-${minutes % 2}`, { total_duration: minutes, page_count: 1 + (minutes % 2) });
          }
          const edges = [0, 1, 59, 60, 61, 600, 601].map((minutes) => first + minutes * 60_000 + ANALYTICS_WINDOW_MS);
          for (const edge of edges.flatMap((time) => [time - 1, time, time + 1])) {
            clock.now = edge;
            const { sessions, signups } = await contents();
            expect(await adapter.readSummary(ADMIN_EMAIL)).toEqual(summarize(sessions, signups.length, edge));
          }
        }),
      );
    }
  });
}

async function visit({ adapter, clock }: Bench, visitor_id: string, totals: Partial<SessionTotals>): Promise<void> {
  const session = exampleSession(clock.now, { visitor_id });
  await adapter.startSession(session);
  await adapter.updateSession(session.id, exampleUpdate(session, totals), { final: true });
}
