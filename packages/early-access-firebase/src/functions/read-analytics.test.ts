import { DAY_MS, type SessionRecord, summarize } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { firestoreStore } from '../firestore/firestore-store.ts';
import { billedReads } from '../fixtures/billed-reads.ts';
import { ADMIN, harness, NOW } from '../fixtures/harness.ts';
import { aSession, storeSessions } from '../fixtures/sessions.ts';

const b = await harness();
const { call, clock, deploy, signUp } = b;
const read = (adminEmail: unknown, headers?: Record<string, string>) => call('read-analytics', { adminEmail }, headers);
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('the admin', () => {
  it('reads the summary with any case and spacing of the address', async () => {
    await signUp('ada@example.org');
    await storeSessions(b.db, [
      aSession(1, { page_count: 3, total_duration: 90 }),
      aSession(2, { page_count: 1, total_duration: 31 }),
      aSession(3, { page_count: 1, total_duration: 0 }),
      aSession(4, { session_start: NOW - 31 * DAY_MS }),
    ]);
    const response = await read(` ${ADMIN.toUpperCase()} `);
    expect([response.status, await response.json()]).toEqual([
      200,
      { result: { unique_visitors: 3, email_signups: 1, bounce_rate: 66.67, average_duration: 61 } },
    ]);
  });

  it('gets a summary that each instance caches for a minute', async () => {
    expect(await signupsRead()).toBe(0);
    await signUp('ada@example.org');
    b.database.calls.reset();
    clock.now += 59_999;
    expect(await signupsRead()).toBe(0);
    expect(b.database.calls.aggregationReads).toBe(0);
    clock.now += 1;
    expect(await signupsRead()).toBe(1);
    await signUp('bob@example.org');
    await deploy();
    expect(await signupsRead()).toBe(2);
  });

  it('gets 503 if the store fails, and the summary once it works again', async () => {
    b.database.faults.always({ verb: 'runAggregationQuery', status: 403 });
    const response = await read(ADMIN);
    expect([response.status, await response.json()]).toMatchObject([503, { error: { status: 'UNAVAILABLE' } }]);
    b.database.faults.always(null);
    expect(await signupsRead()).toBe(0);
  });
});

describe('any other caller', () => {
  it.each(['other@acme.example', '', 'x'])('is rejected with %j, and no query runs', async (email) => {
    const response = await read(email);
    expect([response.status, await response.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }]);
    expect(b.database.calls.aggregationReads).toBe(0);
  });

  it.each([undefined, 42, null, [ADMIN], 'x'.repeat(1_001)])('gets 400 if the address is %j', async (email) => {
    const response = await read(email);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });

  it('is rejected with any address if none is configured', async () => {
    await deploy({ adminEmail: '' });
    for (const email of ['', ADMIN]) expect((await read(email)).status).toBe(403);
  });

  it('gets 503 if the configured address is invalid, and the reason is logged', async () => {
    await deploy({ adminEmail: 'nobody' });
    expect((await read('nobody')).status).toBe(503);
    expect(b.log).toContainEqual({
      level: 'error',
      event: 'call-failed',
      fields: { reason: 'ADMIN_EMAIL must be an email address, several separated by commas, or empty' },
    });
  });
});

describe('guessing the admin’s address', () => {
  it('is rate-limited per caller, even with the right address afterwards', async () => {
    await deploy({ rateLimits: { wrongAdmins: { burst: 3, perMinute: 1 } } });
    for (let tries = 0; tries < 3; tries += 1) expect((await read('guess@example.org')).status).toBe(403);
    const refused = await read(ADMIN);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await read(ADMIN, from('192.0.2.7'))).status).toBe(200);
    clock.now += 60_000;
    expect((await read(ADMIN)).status).toBe(200);
  });

  it('is rate-limited across all callers', async () => {
    await deploy({ rateLimits: { allWrongAdmins: { burst: 3, perMinute: 1 } } });
    for (let n = 0; n < 3; n += 1) await read('guess@example.org', from(`192.0.2.${n}`));
    expect((await read('guess@example.org', from('192.0.2.9'))).status).toBe(429);
  });

  it('does not count calls with the right address', async () => {
    await deploy({ rateLimits: { wrongAdmins: { burst: 2, perMinute: 1 } } });
    for (let n = 0; n < 6; n += 1) expect((await read(ADMIN)).status).toBe(200);
  });
});

describe('the summary', () => {
  const readSummary = () => firestoreStore({ firestore: b.db, clock: () => NOW }).readSummary();

  it('reads no documents, and bills the reads that `billedReads` computes', async () => {
    const sessions = Array.from(
      { length: 2_300 },
      (_, n): SessionRecord => aSession(n % 1_200, { page_count: (n % 2) + 1, total_duration: n % 20 === 0 ? 0 : n }),
    );
    await storeSessions(b.db, sessions);
    await signUp('ada@example.org');
    b.database.calls.reset();
    expect(await readSummary()).toEqual(summarize(sessions, 1, NOW));
    const scale = { sessions: 2_300, bounces: 1_150, untimed: 115, visitors: 1_200, signups: 1 };
    expect(billedReads(scale)).toBe(3 + 2 + 1 + 2 + 1);
    expect(b.database.calls).toMatchObject({ documentReads: 0, aggregationReads: billedReads(scale), writes: 0 });
  });
});

async function signupsRead(): Promise<unknown> {
  const response = await read(ADMIN);
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? Object(Reflect.get(body, 'result')).email_signups : undefined;
}
