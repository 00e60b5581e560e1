import { sessionOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { retentionJob } from './retention.ts';

/** A store with sessions that are too old, one that just is not, and one of today. */
async function harness(sessions: number) {
  const clock = { now: Date.now() - 100 * DAY_MS };
  const { store, raw } = tempStore({ clock: () => clock.now });
  const old = Array.from({ length: sessions }, () => sessionOf({ session_start: clock.now }));
  await Promise.all(old.map((session) => store.startSession(session)));
  clock.now += DAY_MS + 1;
  await store.startSession(sessionOf({ session_start: clock.now }));
  clock.now += 99 * DAY_MS - 1;
  await store.startSession(sessionOf({ session_start: clock.now }));
  const count = (table: string) => readValue(raw, `SELECT count(*) FROM ${table}`);
  return { context: jobContext({ store, clock: () => clock.now }), count };
}

describe('retention', () => {
  it('deletes old rows in small steps, and stops between two of them once it must end', async () => {
    const { context, count } = await harness(1_200);
    let steps = 0;
    await retentionJob(context, 99).runOnce(() => steps++ < 1);
    expect(count('sessions')).toBe(702);
    const events: unknown[] = [];
    const job = retentionJob({ ...context, log: (_, event, fields) => events.push([event, fields]) }, 99);
    await job.runOnce(() => true);
    await job.runOnce(() => true);
    // The sums stay.
    expect([count('sessions'), count('analytics_days')]).toEqual([2, 3]);
    expect(events).toEqual([['pruned', { rows: 700 }]]);
  });

  it('runs at the start and logs a failing store', async () => {
    const { context, count } = await harness(10);
    const job = retentionJob(context, 99).start();
    await until(() => expect(count('sessions')).toBe(2));
    await job.stop(0);
    const events: string[] = [];
    vi.spyOn(context.store, 'prune').mockRejectedValue(new Error('disk full'));
    const failingJob = retentionJob({ ...context, log: (_, event) => events.push(event) }, 99).start();
    await until(() => expect(events).toEqual(['prune-failed']));
    await failingJob.stop(0);
  });
});
