import { describe, expect, it } from 'vitest';
import { ADMIN, harness } from '../fixtures/harness.ts';

const b = await harness();
const CALLS = [
  ['send-welcome-email', { email: 'ada@example.org' }],
  ['read-analytics', { adminEmail: ADMIN }],
] as const;

describe.each(CALLS)('%s', (name, data) => {
  it('is rejected without a token if App Check is enforced', async () => {
    await b.deploy({ appCheckRequired: true });
    await b.signUp('ada@example.org');
    const response = await b.call(name, data);
    expect([response.status, await response.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }]);
    expect(b.mailServer.recipients).toEqual([]);
    expect(b.database.calls.aggregationReads).toBe(0);
  });

  it('accepts calls from pages of any origin', async () => {
    const preflight = await fetch(b.functions.functionUrl(name), {
      method: 'OPTIONS',
      headers: { origin: 'https://www.acme.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://www.acme.example');
  });

  it.each([null, 'text', 42, []])('responds with 400 if the data is %j', async (nothing) => {
    expect((await b.call(name, nothing)).status).toBe(400);
  });

  it('does not reveal the cause of an internal error, and logs no address', async () => {
    b.database.faults.always({ verb: 'commit', status: 403 });
    const response = await b.call(name, data);
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: { status: 'UNAVAILABLE', message: 'not available now' } },
    ]);
    expect(b.log).toEqual([
      { level: 'error', event: 'call-failed', fields: { reason: 'early-access-kit: Firestore failed: Error 7' } },
    ]);
  });
});
