import { expect, test } from 'vitest';
import { adminApi } from './admin-api.ts';
import { signInGate } from './sign-in-gate.ts';

const failure = (status: number, message = 'stack overflow') =>
  Response.json({ error: { code: 'invalid', message } }, { status });

test('a request after the session has ended waits, and is sent again after signing in', async () => {
  const gate = signInGate();
  const closed: boolean[] = [];
  gate.subscribe(() => closed.push(gate.isClosed()));
  const responses = [failure(401), failure(401), Response.json({ results: [] }), new Response(null, { status: 204 })];
  const bodies: unknown[] = [];
  const api = adminApi(async (_, init) => {
    bodies.push(init?.body);
    return responses.shift() ?? failure(500);
  }, gate);
  const both = Promise.all([api.post('/people/forget', { ids: ['1'] }), api.get('/mail')]);
  await expect.poll(gate.isClosed).toBe(true);
  gate.open();
  expect(await both).toEqual([{ results: [] }, null]);
  expect(closed).toEqual([true, false]);
  expect(bodies).toEqual(['{"ids":["1"]}', undefined, '{"ids":["1"]}', undefined]);
});

test('direct requests do not wait', async () => {
  const api = adminApi(async () => failure(401), signInGate());
  await expect(api.direct.get('/session')).rejects.toMatchObject({ kind: 'signed-out' });
});

test.each([
  [400, 'invalid', 'The search is too long.'],
  [409, 'conflict', 'The search is too long.'],
  [404, 'not-found', 'This no longer exists.'],
  [408, 'too-slow', 'The upload took over 60 seconds. Split the file, or import it from the command line.'],
  [429, 'rate-limited', 'Too many requests. Please wait a minute and try again.'],
  [502, 'server', 'The server could not do this right now. Please try again.'],
])('status %i is shown as %s', async (status, kind, message) => {
  const api = adminApi(async () => failure(status, 'The search is too long.'), signInGate());
  await expect(api.get('/people')).rejects.toMatchObject({ kind, message });
});

test('a missing response is shown as unreachable, and a proxy’s error page causes no exception', async () => {
  const offline = adminApi(() => Promise.reject(new TypeError('Failed to fetch')), signInGate());
  await expect(offline.get('/mail')).rejects.toMatchObject({ kind: 'unreachable' });
  const proxy = adminApi(async () => new Response('<h1>Bad gateway</h1>', { status: 400 }), signInGate());
  await expect(proxy.get('/mail')).rejects.toMatchObject({ kind: 'invalid' });
});

test('an aborted request rejects with an AbortError', async () => {
  const api = adminApi((_, init) => Promise.reject(init?.signal?.reason), signInGate());
  const request = api.get('/mail', undefined, AbortSignal.abort());
  await expect(request).rejects.toMatchObject({ name: 'AbortError' });
});
