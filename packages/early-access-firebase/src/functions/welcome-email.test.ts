import { MINUTE_MS } from 'early-access-kit/internal';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { harness } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const b = await harness();
const { call, clock, deliver, deploy, log, mail, signUp, sweep } = b;
const send = (email: unknown, headers?: Record<string, string>) => call('send-welcome-email', { email }, headers);

async function readResponse(response: Response) {
  return [response.status, await response.json()];
}

describe('send-welcome-email', () => {
  it('sends the email of a signup and returns null', async () => {
    const id = await signUp(ADA);
    expect(await readResponse(await send(' Ada@Example.org '))).toEqual([200, { result: null }]);
    expect(b.mailServer.recipients).toEqual([ADA]);
    const record = await mail(id);
    expect(record).toMatchObject({ state: 'sent', attempts: 1, reason: null });
    const message = await PostalMime.parse(b.mailServer.received[0]?.source ?? '');
    expect(message).toMatchObject({
      from: { name: 'Acme', address: 'hello@acme.example' },
      messageId: `<${record?.message_key}@acme.example>`,
    });
    expect(message.text).toContain('https://www.acme.example/');
  });

  it('sends nothing to an address that is not signed up, and does not reveal that', async () => {
    expect(await readResponse(await send('stranger@example.org'))).toEqual([200, { result: null }]);
    expect(b.mailServer.recipients).toEqual([]);
    expect(await b.database.list('mails')).toEqual([]);
  });

  it('returns the same if the mail server rejects the message', async () => {
    b.mailServer.refuse([{ at: 'RCPT', reply: '550 5.1.1 no such user' }]);
    const id = await signUp(ADA);
    expect(await readResponse(await send(ADA))).toEqual([200, { result: null }]);
    expect(await mail(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('550') });
  });

  it.each([undefined, 42, 'no address', 'a<v@x.io>', `${'x'.repeat(250)}@x.io`])(
    'rejects %j without repeating it',
    async (email) => {
      const response = await send(email);
      const body = await response.text();
      expect(response.status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
      expect(body).not.toContain(String(email ?? 'undefined'));
      // Only the caller's rate limit is read.
      expect(b.database.calls.documentReads).toBe(1);
    },
  );

  it('counts invalid calls towards the rate limit', async () => {
    await deploy({ rateLimits: { welcomeEmails: { burst: 3, perMinute: 6 } } });
    const statuses: number[] = [];
    for (const email of [42, 'no address', 'x'.repeat(200_000), ADA]) statuses.push((await send(email)).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it('is rate-limited by caller, with Retry-After', async () => {
    await deploy({ rateLimits: { welcomeEmails: { burst: 2, perMinute: 6 } } });
    const from = (address: string) => send('stranger@example.org', { 'x-forwarded-for': `203.0.113.9, ${address}` });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push((await from(address)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const refused = await from('192.0.2.1');
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ error: { status: 'RESOURCE_EXHAUSTED' } });
    // The limit is in the store, so it applies to new instances, too.
    await deploy({ rateLimits: { welcomeEmails: { burst: 2, perMinute: 6 } } });
    expect((await from('192.0.2.1')).status).toBe(429);
    clock.now += 10_000;
    expect((await from('192.0.2.1')).status).toBe(200);
    expect(JSON.stringify(await b.database.list('throttles'))).not.toMatch(/192\.0\.2|stranger/);
  });
});

/** With more calls, each would wait two seconds for locks. */
const AT_ONCE = 4;

describe('a signup gets one message', () => {
  it('from concurrent events and concurrent calls', async () => {
    const id = await signUp(ADA);
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => [deliver(id), send(ADA)]).flat());
    expect(responses.map(({ ok }) => ok)).not.toContain(false);
    await deliver(id);
    await send(ADA);
    await sweep();
    expect(b.mailServer.recipients).toEqual([ADA]);
    expect(await mail(id)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('even if the response to recording its outcome is lost', async () => {
    const id = await signUp(ADA);
    const arrived = b.mailServer.holdNext();
    const delivered = deliver(id);
    const release = await arrived;
    b.database.faults.next({ drop: 'after', verb: 'commit' });
    release();
    await delivered;
    expect(await mail(id)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('if the outcome cannot be stored: unknown after the lease', async () => {
    const id = await signUp(ADA);
    const arrived = b.mailServer.holdNext();
    const delivered = deliver(id);
    const release = await arrived;
    b.database.faults.always({ verb: 'commit', status: 403 });
    release();
    expect((await delivered).ok).toBe(true);
    b.database.faults.always(null);
    expect(log.map(({ event }) => event)).toContain('mail-outcome-not-recorded');
    clock.now += 11 * MINUTE_MS;
    await sweep();
    expect(await mail(id)).toMatchObject({ state: 'unknown' });
    expect(b.mailServer.recipients).toEqual([ADA]);
  });
});

describe('mail-new-signup', () => {
  it('fails if the store fails, so that the event is delivered again', async () => {
    const id = await signUp(ADA);
    b.database.faults.always({ verb: 'commit', status: 403 });
    expect((await deliver(id)).status).toBe(500);
    b.database.faults.always(null);
    expect((await deliver(id)).ok).toBe(true);
    expect(b.mailServer.recipients).toEqual([ADA]);
  });

  it('does not send to an address that is not in normal form', async () => {
    const id = await signUp('ada@ｅxample.org');
    await deliver(id);
    expect(b.mailServer.recipients).toEqual([]);
    expect(await mail(id)).toMatchObject({ state: 'failed' });
  });
});

it('logs neither addresses nor ids derived from them', async () => {
  b.mailServer.replyWith(451);
  const id = await signUp(ADA);
  await deliver(id);
  b.mailServer.replyWith(250);
  clock.now += MINUTE_MS;
  await sweep();
  b.database.faults.always({ verb: 'commit', status: 403 });
  await send(ADA);
  const lines = JSON.stringify(log);
  expect(log.map(({ event }) => event)).toEqual(['mail-queued', 'mail-sent', 'call-failed']);
  expect(lines).not.toContain('@');
  expect(lines).not.toContain(id);
});
