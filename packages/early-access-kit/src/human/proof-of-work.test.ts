// @vitest-environment jsdom

import { webcrypto } from 'node:crypto';
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../core/time.ts';
import { proofOfWork } from './proof-of-work.ts';

const SECRET = 'a secret of the server';

let container: HTMLElement;
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  container = document.body.appendChild(document.createElement('div'));
  vi.stubGlobal('fetch', fetched);
  // jsdom has no crypto.subtle.
  vi.stubGlobal('crypto', webcrypto);
  fetched.mockImplementation(async () => Response.json(await challenge()));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  fetched.mockReset();
  document.body.replaceChildren();
});

/** Creates a challenge like the server, but with little work. */
function challenge(counter = 3): Promise<Challenge> {
  const expiresAt = new Date(Date.now() + 10 * MINUTE_MS);
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter,
    deriveKey,
    expiresAt,
    hmacSignatureSecret: SECRET,
  });
}

function verify(token: string) {
  const payload: Payload = JSON.parse(atob(token));
  return verifySolution({ ...payload, deriveKey, hmacSignatureSecret: SECRET });
}

it('solves a challenge from the server', async () => {
  const token = await proofOfWork({ endpoint: 'https://api.example/api' }).token(container);
  expect(await verify(token)).toMatchObject({ verified: true });
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(['https://api.example/api/human-challenge']);
});

it('starts once when the form is used, and again for each attempt', async () => {
  const check = proofOfWork();
  const other = document.body.appendChild(document.createElement('div'));
  check.prepare?.(container);
  check.prepare?.(container);
  check.prepare?.(other);
  expect(fetched).toHaveBeenCalledTimes(1);
  const tokens = await Promise.all([check.token(container), check.token(other), check.token(container)]);
  expect(new Set(tokens).size).toBe(3);
  expect(fetched).toHaveBeenCalledTimes(3);
});

it('ending an attempt does not stop the work for another one of the same form', async () => {
  const check = proofOfWork();
  fetched.mockImplementationOnce(async () => Response.json(await challenge(0)));
  fetched.mockImplementationOnce(async () => Response.json(await challenge(300)));
  const tokens = await Promise.all([check.token(container), check.token(container)]);
  expect(await Promise.all(tokens.map(verify))).toMatchObject([{ verified: true }, { verified: true }]);
});

it.each([
  [4, 1],
  [6, 2],
])('work that is %i minutes old takes %i challenges: it is renewed if it is too old', async (minutes, challenges) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const encoded = vi.spyOn(globalThis, 'btoa');
  const check = proofOfWork();
  check.prepare?.(container);
  await vi.waitFor(() => expect(encoded).toHaveBeenCalled());
  vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
  expect(await verify(await check.token(container))).toMatchObject({ verified: true });
  expect(fetched).toHaveBeenCalledTimes(challenges);
});

it('starts again after a failure, which preparing does not report', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  fetched.mockResolvedValueOnce(new Response('', { status: 429 }));
  const check = proofOfWork();
  check.prepare?.(container);
  await expect(check.token(container)).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' });
  await expect(check.token(container)).rejects.toMatchObject({ name: 'StorageError', code: 'rate-limited' });
  expect(await verify(await check.token(container))).toMatchObject({ verified: true });
});

it('stops if the form is removed', async () => {
  // More work than any computer can do.
  fetched.mockImplementation(async () => Response.json(await challenge(1e9)));
  const token = proofOfWork().token(container);
  container.remove();
  await expect(token).rejects.toMatchObject({ code: 'unavailable' });
});

it('fails if the browser offers no cryptography', async () => {
  vi.stubGlobal('crypto', {});
  const failed = proofOfWork().token(container);
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
});
