import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../testing/examples.ts';
import { fakeFetch, json } from './fake-fetch.fixture.ts';
import { httpAdapter } from './http.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('httpAdapter', () => {
  it('sends what needs no preflight and outlives the page', async () => {
    const fetch = fakeFetch(new Response(null, { status: 204 }));
    const session = exampleSession(0);
    await httpAdapter({ endpoint: 'https://api.example/v1' }).updateSession(session.id, exampleUpdate(session), {
      final: true,
    });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe(`https://api.example/v1/sessions/${session.id}`);
    expect(init).toMatchObject({ method: 'POST', keepalive: true });
    expect(init?.headers).toBeUndefined();
  });

  it.each([
    ['sendWelcomeEmail', () => httpAdapter().sendWelcomeEmail('me@example.org')],
    ['startSession', () => httpAdapter().startSession(exampleSession(0))],
  ])('%s reads the response to its end, so that developer tools do not show it as cancelled', async (_, call) => {
    const answer = new Response('', { status: 202 });
    fakeFetch(answer);
    await call();
    expect(answer.bodyUsed).toBe(true);
  });

  it('asks once more, with the same data, where the answer got lost', async () => {
    const fetch = fakeFetch(new TypeError('network'), json({ result: 'created' }, 201));
    expect(await httpAdapter().createSignup(exampleSignup())).toBe('created');
    expect(fetch.mock.calls[1]?.[1].body).toBe(fetch.mock.calls[0]?.[1].body);
  });

  it.each([[503], [502], [408]])('asks once more after status %i', async (status) => {
    fakeFetch(new Response('<html>', { status }), json({ result: 'duplicate' }));
    expect(await httpAdapter().createSignup(exampleSignup())).toBe('duplicate');
  });

  it('gives up after the second try', async () => {
    const fetch = fakeFetch(new TypeError('network'), new TypeError('network'));
    expect(await failureOf(httpAdapter().createSignup(exampleSignup()))).toBe('unavailable');
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it.each([
    [400, 'invalid'],
    [413, 'invalid'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [429, 'rate-limited'],
  ] as const)('takes status %i for %s, and does not ask again', async (status, code) => {
    const fetch = fakeFetch(new Response('', { status }));
    expect(await failureOf(httpAdapter().createSignup(exampleSignup()))).toBe(code);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a page where JSON should be', new Response('<html>captive portal</html>')],
    ['JSON that is no answer', json({ ok: true })],
    ['null', json(null)],
  ])('takes %s for unavailable', async (_, answer) => {
    fakeFetch(answer.clone(), answer.clone(), answer);
    const adapter = httpAdapter();
    expect(await failureOf(adapter.createSignup(exampleSignup()))).toBe('unavailable');
    expect(await failureOf(adapter.readSummary('owner@example.com'))).toBe('unavailable');
  });

  it('passes on how long to wait', async () => {
    fakeFetch(new Response('', { status: 429, headers: { 'Retry-After': '17' } }));
    await expect(httpAdapter().sendWelcomeEmail('a@b.c')).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfter: 17,
    });
  });

  it.each([
    ['an answer', () => new Response(null, { status: 204 })],
    ['a refusal', () => new Response('', { status: 403 })],
    ['a broken connection', () => new TypeError('network')],
  ])('leaves no timer behind after %s', async (_, answer) => {
    vi.useFakeTimers();
    fakeFetch(answer());
    await httpAdapter()
      .sendWelcomeEmail('ada@example.org')
      .catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at the deadline where no answer comes', async () => {
    vi.useFakeTimers();
    fakeFetch('never', 'never');
    const failure = failureOf(httpAdapter().createSignup(exampleSignup()));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failure).toBe('unavailable');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at the deadline where the body stops half-way', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return new Response(body);
    });
    const failure = failureOf(httpAdapter().readSummary('owner@example.com'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failure).toBe('unavailable');
  });
});
