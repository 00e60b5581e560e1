import { describe, expect, it } from 'vitest';
import { harness, OWNER } from './fixtures/harness.ts';

const b = harness();
const CALLS = [
  ['send-welcome-email', { email: 'ada@example.org' }],
  ['read-analytics', { adminEmail: OWNER }],
] as const;

describe.each(CALLS)('%s', (name, data) => {
  it('is refused without a token where App Check is enforced', async () => {
    await b.deploy({ appCheckRequired: true });
    await b.signUp('ada@example.org');
    const answer = await b.call(name, data);
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }]);
    expect(b.mailServer.recipients).toEqual([]);
    expect(b.fake.calls.aggregationReads).toBe(0);
  });

  it('is open to pages of any origin, which read how long to wait', async () => {
    const preflight = await fetch(b.functions.urlOf(name), {
      method: 'OPTIONS',
      headers: { origin: 'https://www.acme.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://www.acme.example');
  });

  it.each([null, 'text', 42, []])('is told that %j is no data', async (nothing) => {
    expect((await b.call(name, nothing)).status).toBe(400);
  });

  it('does not tell what went wrong inside, and logs no address', async () => {
    b.fake.faults.always({ verb: 'commit', status: 403 });
    const answer = await b.call(name, data);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: { status: 'UNAVAILABLE', message: 'not available now' } },
    ]);
    expect(b.log).toEqual([
      { level: 'error', event: 'call-failed', fields: { reason: 'early-access-kit: Firestore failed: Error 7' } },
    ]);
  });
});
