import { afterEach, describe, expect, it, vi } from 'vitest';
import { getFailureCode } from '../testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../testing/examples.ts';
import { fakeDeadlines, fakeFetch, json } from './fake-fetch.fixture.ts';
import { httpAdapter } from './http.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('httpAdapter', () => {
  it('sends requests that need no preflight and outlive the page', async () => {
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
  ])('%s reads the response to its end, so that developer tools do not show it as canceled', async (_, call) => {
    const response = new Response('', { status: 202 });
    fakeFetch(response);
    await call();
    expect(response.bodyUsed).toBe(true);
  });

  it('retries once with the same data if the response was lost', async () => {
    const fetch = fakeFetch(new TypeError('network'), json({ result: 'created' }, 201));
    expect(await httpAdapter().createSignup(exampleSignup())).toBe('created');
    expect(fetch.mock.calls[1]?.[1].body).toBe(fetch.mock.calls[0]?.[1].body);
  });

  it.each([[503], [502], [408]])('retries once after status %i', async (status) => {
    fakeFetch(new Response('<html>', { status }), json({ result: 'duplicate' }));
    expect(await httpAdapter().createSignup(exampleSignup())).toBe('duplicate');
  });

  it('gives up after the second attempt', async () => {
    const fetch = fakeFetch(new TypeError('network'), new TypeError('network'));
    expect(await getFailureCode(httpAdapter().createSignup(exampleSignup()))).toBe('unavailable');
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('does not quote a proxy’s page in its error', async () => {
    fakeFetch(new Response('x'.repeat(1_000), { status: 400 }));
    await expect(httpAdapter().createSignup(exampleSignup())).rejects.toThrow(/^early-access-kit: HTTP 400 $/);
  });

  it.each([
    [400, 'invalid'],
    [413, 'invalid'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [429, 'rate-limited'],
  ] as const)('maps status %i to %s and does not retry', async (status, code) => {
    const fetch = fakeFetch(new Response('', { status }));
    expect(await getFailureCode(httpAdapter().createSignup(exampleSignup()))).toBe(code);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("passes on the server's message, which names the fix", async () => {
    fakeFetch(json({ error: { code: 'invalid', message: 'fields.company is required' } }, 400));
    await expect(httpAdapter().createSignup(exampleSignup())).rejects.toThrow(/HTTP 400 fields\.company is required$/);
  });

  it("passes on the server's text for the visitor", async () => {
    const text = `No "throwaway" addresses\\ ${'x'.repeat(300)}`;
    fakeFetch(json({ error: { code: 'invalid', message: 'temporary', text } }, 400));
    await expect(httpAdapter().createSignup(exampleSignup())).rejects.toMatchObject({ visitorText: text });
  });

  it.each(['<html>', 'null', '{}', '{"error":"no"}'])('has no text for the visitor after %s', async (body) => {
    fakeFetch(new Response(body, { status: 400 }));
    await expect(httpAdapter().createSignup(exampleSignup())).rejects.toMatchObject({
      code: 'invalid',
      visitorText: undefined,
    });
  });

  it.each([
    ['an HTML page instead of JSON', new Response('<html>captive portal</html>')],
    ['unexpected JSON', json({ ok: true })],
    ['null', json(null)],
  ])('maps %s to unavailable', async (_, response) => {
    fakeFetch(response.clone(), response.clone(), response);
    const adapter = httpAdapter();
    expect(await getFailureCode(adapter.createSignup(exampleSignup()))).toBe('unavailable');
    expect(await getFailureCode(adapter.readSummary('owner@example.com'))).toBe('unavailable');
  });

  it('includes the time to wait before a retry', async () => {
    fakeFetch(new Response('', { status: 429, headers: { 'Retry-After': '17' } }));
    await expect(httpAdapter().sendWelcomeEmail('a@b.c')).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfter: 17,
    });
  });

  it('only sends the server’s cookies when it requests the texts of a pending signup', async () => {
    const fetch = fakeFetch(json({ result: 'pending' }, 201), json({ successTitle: 'Revisa tu correo' }));
    const adapter = httpAdapter({ endpoint: 'https://api.example/v1' });
    const signup = exampleSignup();
    expect(await adapter.createSignup(signup, 'de')).toBe('pending');
    expect(await adapter.inbox?.(signup, 'es')).toEqual({ successTitle: 'Revisa tu correo' });
    const [[, first] = [], [url, second] = []] = fetch.mock.calls;
    expect(first?.credentials).toBeUndefined();
    expect(JSON.parse(String(first?.body))).toEqual({ ...signup, lang: 'de' });
    expect([url, second?.credentials]).toEqual(['https://api.example/v1/inbox', 'include']);
    expect(JSON.parse(String(second?.body))).toMatchObject({ ...signup, lang: 'es' });
  });

  it('ends at the deadline if there is no response', async () => {
    const deadlines = fakeDeadlines();
    const fetch = fakeFetch('never', 'never');
    const failure = getFailureCode(httpAdapter().createSignup(exampleSignup()));
    deadlines.pass();
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    deadlines.pass();
    expect(await failure).toBe('unavailable');
    expect(deadlines.set).toEqual([10_000, 10_000]);
  });

  it('ends at the deadline if the body stalls', async () => {
    const deadlines = fakeDeadlines();
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return new Response(body);
    });
    const failure = getFailureCode(httpAdapter().readSummary('owner@example.com'));
    deadlines.pass();
    expect(await failure).toBe('unavailable');
  });
});
