import { describe, expect, it } from 'vitest';
import { harness } from '../fixtures/harness.ts';

const b = await harness();
/** A caller may use 24 times as much, because visitors share the address of Hosting. */
const SMALL = { signupForms: { burst: 1, perMinute: 0.1 }, signIns: { burst: 1, perMinute: 0.1 } };
const HOST = 'www.acme.example';
/** Hosting's address, as seen by Google's front end. */
const EDGE = '198.51.100.1';
const visitor = (index: number) => `10.0.${index >> 8}.${index & 255}`;

interface Sent {
  /** X-Forwarded-For as passed on by Google's front end: the last address is that of its caller. */
  readonly forwardedFor: string;
  readonly headers?: Record<string, string>;
}

function submit(index: number, { forwardedFor, headers = { 'x-forwarded-host': HOST } }: Sent): Promise<Response> {
  return fetch(b.functions.functionUrl('submit-signup-form'), {
    method: 'POST',
    headers: { ...headers, 'x-forwarded-for': forwardedFor },
    body: new URLSearchParams({ email: `person-${index}@example.org` }),
  });
}

/** Returns the number of responses with this status. */
async function countStatus(
  status: number,
  requests: number,
  send: (index: number) => Promise<Response>,
): Promise<number> {
  let count = 0;
  for (let index = 0; index < requests; index += 1) if ((await send(index)).status === status) count += 1;
  return count;
}

const stored = async () => (await b.database.list('email_signups')).length;

describe('a caller of a function’s own URL', () => {
  const forged = (index: number) => ({ forwardedFor: `${visitor(index)}, 203.0.113.9` });

  it('is limited by its own networks, whatever addresses it claims to forward, and does not lock out visitors', async () => {
    await b.deploy({ rateLimits: SMALL });
    expect(await countStatus(201, 26, (index) => submit(index, forged(index)))).toBe(24);
    const alsoIPv6 = (index: number) => ({ forwardedFor: `${visitor(index)}, 2001:db8:1:${index}::1` });
    expect(await countStatus(201, 26, (index) => submit(100 + index, alsoIPv6(100 + index)))).toBe(24);
    expect(await stored()).toBe(48);
    const visitors = (index: number) => submit(1_000 + index, { forwardedFor: `${visitor(1_000 + index)}, ${EDGE}` });
    expect(await countStatus(201, 12, visitors)).toBe(12);
  });

  it('has the limit of a single client without the header that only Hosting sends', async () => {
    await b.deploy({ rateLimits: SMALL });
    expect(await countStatus(201, 3, (index) => submit(index, { ...forged(index), headers: {} }))).toBe(1);
  });

  it('cannot request sign-in links without end', async () => {
    await b.deploy({ rateLimits: SMALL });
    const send = (index: number) =>
      fetch(`${b.functions.functionUrl('admin')}/api/admin/sign-in`, {
        method: 'POST',
        headers: {
          origin: `https://${HOST}`,
          'x-forwarded-host': HOST,
          'x-forwarded-for': forged(index).forwardedFor,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email: 'eve@example.org' }),
      });
    expect(await countStatus(202, 26, send)).toBe(24);
  });
});

it('a caller through Hosting, even with all its networks, leaves room for other visitors of that address', async () => {
  await b.deploy({ rateLimits: SMALL });
  const networks = ['192.0.2.1', ...Array.from({ length: 12 }, (_, network) => `2001:db8:1:${network}::1`)];
  const send = (index: number) => submit(index, { forwardedFor: `${networks[index] ?? ''}, ${EDGE}` });
  expect(await countStatus(201, networks.length, send)).toBe(11);
  const visitors = (index: number) => submit(1_000 + index, { forwardedFor: `${visitor(index)}, ${EDGE}` });
  expect(await countStatus(201, 12, visitors)).toBe(12);
});

it('visitors behind Hosting do not share one limit', async () => {
  const send = (index: number) => submit(index, { forwardedFor: `${visitor(index)}, ${EDGE}` });
  expect(await countStatus(201, 30, send)).toBe(30);
});
