import { sessionOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { until } from '../fixtures/mail-harness.ts';
import { readValue } from '../fixtures/read-back.ts';
import { tempStore } from '../fixtures/temp-store.ts';
import { silentLog } from './log.ts';
import { pruneOld, startRetention } from './retention.ts';

const DAY_MS = 86_400_000;

/** A store with old sessions and one of today. */
async function harness(sessions: number) {
  const clock = { now: Date.now() - 100 * DAY_MS };
  const { store, raw } = tempStore({ clock: () => clock.now });
  const old = Array.from({ length: sessions }, () => sessionOf({ session_start: clock.now }));
  await Promise.all(old.map((session) => store.startSession(session)));
  clock.now += 100 * DAY_MS;
  await store.startSession(sessionOf({ session_start: clock.now }));
  const count = (table: string) => readValue(raw, `SELECT count(*) FROM ${table}`);
  return { options: { store, days: 99, log: silentLog, clock: () => clock.now }, count };
}

describe('retention', () => {
  it('deletes old rows in small steps with pauses in between', async () => {
    const { options, count } = await harness(1_200);
    const left: unknown[] = [];
    const removed = await pruneOld(options, async () => {
      left.push(count('sessions'));
      return true;
    });
    expect(left).toEqual([701, 201, 1]);
    expect(removed).toBe(2_400);
    expect([count('visitors'), count('session_hours')]).toEqual([1, 2]);
  });

  it('stops between two steps if the callback returns false', async () => {
    const { options, count } = await harness(1_200);
    await pruneOld(options, async () => false);
    expect(count('sessions')).toBe(701);
  });

  it('runs at the start and logs a failing store', async () => {
    const { options, count } = await harness(10);
    const stop = startRetention(options);
    await until(() => expect(count('sessions')).toBe(1));
    stop();
    const events: string[] = [];
    const failing = { ...options, store: { prune: () => Promise.reject(new Error('disk full')) } };
    const stopFailing = startRetention({ ...failing, log: (_, event) => events.push(event) });
    await until(() => expect(events).toEqual(['prune-failed']));
    stopFailing();
  });
});
