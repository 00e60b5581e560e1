import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { DAY_MS, MAX_LENGTH } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import type { RateLimits } from '../../app/access/rate-limits.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';

const BUDGET = { burst: 30_000, perMinute: 30_000 / 1_440 };

function harness(rateLimits: Partial<RateLimits> = { sessionBytes: BUDGET }) {
  const app = appHarness({ rateLimits });
  const largest = () =>
    sessionOf({
      session_start: app.clock.now,
      referrer: `https://example.org/${'x'.repeat(MAX_LENGTH.referrer - 20)}`,
      user_agent: 'x'.repeat(MAX_LENGTH.user_agent),
    });
  const start = async (client?: string) =>
    (await app.post('/api/sessions', largest(), client === undefined ? {} : { client })).status;
  /** Starts sessions, or updates ones that were never started, until one is refused. Returns how many were stored. */
  async function fill(send = () => start()): Promise<number> {
    for (let count = 0; count < 1_000; count += 1) if ((await send()) !== 204) return count;
    return Number.POSITIVE_INFINITY;
  }
  return { ...app, largest, start, fill };
}

it('stores a day’s bytes of sessions of a network, then signups only, and again the next day', async () => {
  const { clock, post, raw, start, fill } = harness();
  const stored = await fill();
  expect(readValue(raw, 'SELECT sum(length(referrer) + length(user_agent)) FROM sessions')).toBeLessThan(BUDGET.burst);
  expect(readValue(raw, 'SELECT count(*) FROM sessions')).toBe(stored);
  expect((await post('/api/signups', signupOf())).status).toBe(201);
  expect(await start('192.0.2.2')).toBe(204);
  clock.now += DAY_MS;
  expect(await fill()).toBe(stored);
});

it('counts updates too, because each may store a session', async () => {
  const { post, largest, fill } = harness();
  const update = async () => {
    const session = largest();
    return (await post(`/api/sessions/${session.id}`, updateOf(session))).status;
  };
  const updates = await fill(update);
  expect(updates).toBeGreaterThan(0);
  expect(updates).toBeLessThan(100);
});

it('stores a day’s bytes of sessions of all clients together', async () => {
  const { start, fill } = harness({ allSessionBytes: BUDGET });
  let client = 0;
  const stored = await fill(() => {
    client += 1;
    return start(`192.0.2.${client}`);
  });
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(100);
});
