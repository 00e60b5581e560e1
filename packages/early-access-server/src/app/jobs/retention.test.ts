import { sessionOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { until } from '../../fixtures/mail-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { silentLog } from '../ports/log.ts';
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
  return { options: { store, days: 99, log: silentLog, clock: () => clock.now }, count };
}

describe('retention', () => {
  it('deletes old rows in small steps, and stops between two of them once it must end', async () => {
    const { options, count } = await harness(1_200);
    let steps = 0;
    await retentionJob(options).runOnce(() => steps++ < 1);
    expect(count('sessions')).toBe(702);
    const events: unknown[] = [];
    const job = retentionJob({ ...options, log: (_, event, fields) => events.push([event, fields]) });
    await job.runOnce(() => true);
    await job.runOnce(() => true);
    // The sums stay.
    expect([count('sessions'), count('analytics_days')]).toEqual([2, 3]);
    expect(events).toEqual([['pruned', { rows: 700 }]]);
  });

  it('runs at the start and logs a failing store', async () => {
    const { options, count } = await harness(10);
    const job = retentionJob(options).start();
    await until(() => expect(count('sessions')).toBe(2));
    await job.stop(0);
    const events: string[] = [];
    const failing = { ...options, store: { prune: () => Promise.reject(new Error('disk full')) } };
    const failingJob = retentionJob({ ...failing, log: (_, event) => events.push(event) }).start();
    await until(() => expect(events).toEqual(['prune-failed']));
    await failingJob.stop(0);
  });
});
