import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { ADMIN_EMAIL, appHarness } from '../../fixtures/app-harness.ts';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';

describe.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a clock that is set %s an hour', (_, step) => {
  it('loses no signups, no running sessions and nothing of the summary', async () => {
    const { post, clock, raw } = appHarness();
    const [before, after] = [signupOf(), signupOf()];
    // The visitors' own clocks are correct.
    const running = sessionOf({ session_start: clock.now });
    const later = sessionOf({ session_start: clock.now + 1_000 });
    expect((await post('/api/signups', before)).status).toBe(201);
    expect((await post('/api/sessions', running)).status).toBe(204);

    clock.now += step;
    expect((await post('/api/signups', after)).status).toBe(201);
    expect(await (await post('/api/signups', before)).json()).toEqual({ result: 'created' });
    const totals = { session_end: running.session_start + 60_000, page_count: 2, total_duration: 60 };
    expect((await post(`/api/sessions/${running.id}`, updateOf(running, totals))).status).toBe(204);
    expect((await post('/api/sessions', later)).status).toBe(204);

    expect(readSignups(raw).map(({ email }) => email)).toEqual([before.email, after.email]);
    expect(readSessions(raw)).toMatchObject([
      { id: running.id, session_start: running.session_start, page_count: 2, total_duration: 60 },
      { id: later.id },
    ]);
    const summary = await post('/api/summary', { admin_email: ADMIN_EMAIL });
    expect(await summary.json()).toMatchObject({ unique_visitors: 2, email_signups: 2, average_duration: 60 });
  });

  it('does not limit a client for longer', async () => {
    const { post, clock } = appHarness({ rateLimits: { signups: { burst: 2, perMinute: 6 } } });
    const statuses = async () => (await post('/api/signups', signupOf())).status;
    expect([await statuses(), await statuses(), await statuses()]).toEqual([201, 201, 429]);
    clock.now += step;
    await statuses();
    clock.now += 10_000;
    expect(await statuses()).toBe(201);
  });
});
