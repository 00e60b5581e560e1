import { afterEach, describe, expect, it, vi } from 'vitest';
import { getFailureCode } from '../testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../testing/examples.ts';
import { COMMITTED, fakeDeadlines, fakeFetch, googleError, json, missingDocument } from './fake-fetch.fixture.ts';
import { firestoreAdapter } from './firestore.ts';

const CONFIG = { projectId: 'shop', apiKey: 'k', directSignups: true };
const DENIED = () => googleError(403, 'PERMISSION_DENIED');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the request', () => {
  it('goes to Google with the key in the URL, and needs no preflight', async () => {
    const fetch = fakeFetch(json(COMMITTED));
    await firestoreAdapter(CONFIG).createSignup(exampleSignup());
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://firestore.googleapis.com/v1/projects/shop/databases/(default)/documents:commit?key=k');
    expect(init).toMatchObject({ method: 'POST', keepalive: true, headers: {} });
    expect(typeof init?.body).toBe('string');
  });

  it('goes to the named database', async () => {
    const fetch = fakeFetch(json(COMMITTED));
    await firestoreAdapter({ ...CONFIG, databaseId: 'early' }).createSignup(exampleSignup());
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toContain('/databases/early/documents:commit');
    expect(init?.body).toContain('projects/shop/databases/early/documents/email_signups/');
  });

  it('accepts a FirebaseApp instead of its config', async () => {
    const fetch = fakeFetch(json(COMMITTED));
    await firestoreAdapter({ app: { options: CONFIG }, directSignups: true }).createSignup(exampleSignup());
    expect(fetch.mock.calls[0]?.[0]).toContain('/projects/shop/');
  });

  it.each([{ projectId: '', apiKey: 'k' }, { app: { options: { projectId: 'shop' } } }])(
    'is configured when the adapter is created: %j throws',
    (options) => {
      expect(() => firestoreAdapter(options)).toThrow('firestoreAdapter needs projectId and apiKey');
    },
  );

  it.each([
    [{}, 'https://us-central1-shop.cloudfunctions.net/read-analytics'],
    [{ functionsRegion: 'europe-west1' }, 'https://europe-west1-shop.cloudfunctions.net/read-analytics'],
    [{ emulator: { functions: 'http://127.0.0.1:5001' } }, 'http://127.0.0.1:5001/shop/us-central1/read-analytics'],
  ])("goes to the functions' URL with %j", async (options, expected) => {
    const summary = { unique_visitors: 1, email_signups: 2, bounce_rate: 3, average_duration: 4 };
    const fetch = fakeFetch(json({ result: summary }));
    expect(await firestoreAdapter({ ...CONFIG, ...options }).readSummary('owner@example.com')).toEqual(summary);
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe(expected);
    expect(init?.headers).toEqual({ 'Content-Type': 'application/json' });
    expect(init?.body).toBe('{"data":{"adminEmail":"owner@example.com"}}');
  });
});

describe('a response', () => {
  it.each([
    [400, 'INVALID_ARGUMENT', 'invalid'],
    [401, 'UNAUTHENTICATED', 'forbidden'],
    [404, 'NOT_FOUND', 'unavailable'],
    [409, 'ABORTED', 'unavailable'],
    [429, 'RESOURCE_EXHAUSTED', 'rate-limited'],
    [500, 'INTERNAL', 'unavailable'],
    [503, 'UNAVAILABLE', 'unavailable'],
  ] as const)('from a function: %i %s becomes %s', async (code, status, expected) => {
    fakeFetch(googleError(code, status));
    expect(await getFailureCode(firestoreAdapter(CONFIG).readSummary('owner@example.com'))).toBe(expected);
  });

  it.each([
    [400, 'INVALID_ARGUMENT', 'invalid'],
    [401, 'UNAUTHENTICATED', 'forbidden'],
    [409, 'ABORTED', 'unavailable'],
    [429, 'RESOURCE_EXHAUSTED', 'rate-limited'],
    [503, 'UNAVAILABLE', 'unavailable'],
  ] as const)('from Firestore: %i %s becomes %s', async (code, status, expected) => {
    fakeFetch(googleError(code, status), googleError(code, status));
    expect(await getFailureCode(firestoreAdapter(CONFIG).startSession(exampleSession(Date.now())))).toBe(expected);
  });

  it("includes Firebase's message in the error", async () => {
    fakeFetch(googleError(400, 'INVALID_ARGUMENT'));
    await expect(firestoreAdapter(CONFIG).createSignup(exampleSignup())).rejects.toThrow(
      /early-access-kit: 400 .*because of INVALID_ARGUMENT/,
    );
  });

  it('includes the time to wait before a retry', async () => {
    fakeFetch(googleError(429, 'RESOURCE_EXHAUSTED', { 'Retry-After': '17' }));
    const call = firestoreAdapter(CONFIG).createSignup(exampleSignup());
    await expect(call).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 17 });
  });

  it.each([
    ['an HTML page instead of JSON', () => new Response('<html>Log in to this network</html>')],
    ['a page with status 502', () => new Response('<html>', { status: 502 })],
    ['no network', () => new TypeError('Failed to fetch')],
  ])('%s becomes unavailable in every method', async (_, response) => {
    const adapter = firestoreAdapter(CONFIG);
    const session = exampleSession(Date.now());
    for (const call of [
      () => adapter.createSignup(exampleSignup()),
      () => adapter.startSession(session),
      () => adapter.updateSession(session.id, exampleUpdate(session)),
      () => adapter.sendWelcomeEmail('ada@example.org'),
      () => adapter.readSummary('owner@example.com'),
    ]) {
      fakeFetch(response(), response());
      expect(await getFailureCode(call())).toBe('unavailable');
    }
  });

  it.each([[{ result: null }], [{ result: { ok: true } }], [{}], [null]])(
    '%j is not accepted as a summary',
    async (body) => {
      fakeFetch(json(body));
      expect(await getFailureCode(firestoreAdapter(CONFIG).readSummary('owner@example.com'))).toBe('unavailable');
    },
  );

  it('is unavailable if the page has no crypto.subtle, and the error mentions https', async () => {
    const signup = exampleSignup();
    vi.stubGlobal('crypto', {});
    const fetch = fakeFetch();
    await expect(firestoreAdapter(CONFIG).createSignup(signup)).rejects.toThrow(/https/);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('deadlines', () => {
  it('end a call that gets no response', async () => {
    const deadlines = fakeDeadlines();
    const fetch = fakeFetch('never', 'never');
    const failure = getFailureCode(firestoreAdapter(CONFIG).startSession(exampleSession(Date.now())));
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    deadlines.pass();
    expect(await failure).toBe('unavailable');
    expect(deadlines.set).toEqual([10_000]);
  });

  it('are set by deadlineMs, and also apply to a response that stalls', async () => {
    const deadlines = fakeDeadlines();
    const fetch = vi.fn(async (_: string, { signal }: RequestInit) => {
      const start = (controller: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      return new Response(new ReadableStream({ start }));
    });
    vi.stubGlobal('fetch', fetch);
    const failure = getFailureCode(firestoreAdapter({ ...CONFIG, deadlineMs: 300 }).readSummary('owner@example.com'));
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce());
    deadlines.pass();
    expect(await failure).toBe('unavailable');
    expect(deadlines.set).toEqual([300]);
  });

  it('apply to all calls of one attempt together', async () => {
    const deadlines = fakeDeadlines();
    // The first attempt learns that the address may exist and then hangs; the second hangs immediately.
    const fetch = fakeFetch(DENIED(), 'never', 'never', 'never', 'never');
    const failure = getFailureCode(firestoreAdapter(CONFIG).createSignup(exampleSignup({ email: 'ada@example.org' })));
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(4));
    deadlines.pass();
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(5));
    deadlines.pass();
    expect(await failure).toBe('unavailable');
    expect(deadlines.set).toHaveLength(2);
  });
});

describe('createSignup', () => {
  it('does not report a duplicate if the address is not stored', async () => {
    fakeFetch(DENIED(), DENIED(), missingDocument(), missingDocument());
    expect(await getFailureCode(firestoreAdapter(CONFIG).createSignup(exampleSignup()))).toBe('forbidden');
  });

  it('does not trust a proxy’s page as the response to the control read', async () => {
    const page = () => new Response('<html>Blocked</html>', { status: 403 });
    fakeFetch(page(), page(), page(), page());
    expect(await getFailureCode(firestoreAdapter(CONFIG).createSignup(exampleSignup()))).toBe('forbidden');
  });

  it.each([
    ['denied', DENIED],
    ['rejected with a conflict', () => googleError(409, 'ALREADY_EXISTS')],
  ])('returns duplicate if the create and its retry are %s and only the control read is allowed', async (_, no) => {
    fakeFetch(no(), DENIED(), missingDocument(), DENIED());
    expect(await firestoreAdapter(CONFIG).createSignup(exampleSignup())).toBe('duplicate');
  });

  it('retries while others write the record, and never reports a duplicate', async () => {
    const contended = () => googleError(409, 'ABORTED');
    fakeFetch(contended(), DENIED(), contended(), missingDocument(), DENIED());
    expect(await getFailureCode(firestoreAdapter(CONFIG).createSignup(exampleSignup()))).toBe('unavailable');
  });
});

describe('updateSession', () => {
  const session = exampleSession(Date.now());
  const update = exampleUpdate(session, { page_count: 2 });

  it('is a single request once the session is known to be stored, sent before anything is awaited', async () => {
    const fetch = fakeFetch(json(COMMITTED), json(COMMITTED), json(COMMITTED));
    const adapter = firestoreAdapter({ ...CONFIG, getAppCheckToken: async () => 'app-check' });
    await adapter.startSession(session);
    fetch.mockClear();
    const flush = adapter.updateSession(session.id, update, { final: true });
    expect(fetch).toHaveBeenCalledTimes(1);
    const [, init] = fetch.mock.calls[0] ?? [];
    expect(init).toMatchObject({ keepalive: true, headers: { 'X-Firebase-AppCheck': 'app-check' } });
    await flush;
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'a view',
      { page_count: 2, page_path: '/prices' },
      { page_views: { mapValue: { fields: { 2: { stringValue: '/prices' } } } } },
    ],
    [
      'the last view that is stored',
      { page_count: 10, page_path: '/' },
      { page_views: { mapValue: { fields: { 10: { stringValue: '/' } } } } },
    ],
    ['one view too many', { page_count: 11, page_path: '/' }, {}],
    ['the end of a view', { page_count: 2, page_path: '/prices', session_end: session.session_start + 1 }, {}],
    ['a view whose path is not known', { page_count: 2 }, {}],
    ['the first view, whose path is in landing_path', { page_count: 1, page_path: '/' }, {}],
  ])('of %s only writes its path', async (_, totals, views) => {
    const fetch = fakeFetch(json(COMMITTED), json(COMMITTED), json(COMMITTED));
    const adapter = firestoreAdapter(CONFIG);
    await adapter.startSession(session);
    await adapter.updateSession(session.id, exampleUpdate(session, totals));
    expect(fetch).toHaveBeenCalledTimes(3);
    const bounce = totals.page_count === 1 ? {} : { is_bounce: { booleanValue: false } };
    expect(readFields(fetch, 2)).toEqual({ ...bounce, ...views });
    const paths = Object.keys(views).map((field) => `${field}.\`${totals.page_count}\``);
    expect(readWrite(fetch, 2).updateMask.fieldPaths).toEqual([...Object.keys(bounce), ...paths]);
  });

  it('sends the session first if it is not known to be stored', async () => {
    const fetch = fakeFetch(json(COMMITTED), json(COMMITTED));
    await firestoreAdapter(CONFIG).updateSession(session.id, update, { final: true });
    expect(fetch.mock.calls.map(([, { body }]) => /documents\/(\w+)/.exec(String(body))?.[1])).toEqual([
      'sessions',
      'visitors',
    ]);
  });

  it('rejects if the rules deny every write', async () => {
    // The second round uses the store's clock, known from the visitor's record.
    const fetch = fakeFetch(DENIED(), json(COMMITTED), DENIED(), DENIED(), json(COMMITTED), DENIED());
    expect(await getFailureCode(firestoreAdapter(CONFIG).updateSession(session.id, update))).toBe('forbidden');
    expect(fetch).toHaveBeenCalledTimes(6);
  });

  it('limits the duration to what the store’s clock allows, once it knows that clock', async () => {
    const now = Date.now();
    const ahead = exampleSession(now + 600_000);
    vi.useFakeTimers({ now: now + 600_000 });
    const committed = (after: number) => json({ ...COMMITTED, commitTime: new Date(now + after).toISOString() });
    const fetch = fakeFetch(committed(0), committed(0), committed(100_000), committed(700_000));
    const adapter = firestoreAdapter(CONFIG);
    await adapter.startSession(ahead);
    vi.setSystemTime(now + 600_000 + 100_000);
    await adapter.updateSession(ahead.id, exampleUpdate(ahead, { total_duration: 100 }), { final: true });
    expect(readMaximum(fetch, 2, 'total_duration')).toEqual({ integerValue: '60' });
    vi.setSystemTime(now + 600_000 + 700_000);
    await adapter.updateSession(ahead.id, exampleUpdate(ahead, { total_duration: 700 }), { final: true });
    expect(readMaximum(fetch, 3, 'total_duration')).toEqual({ integerValue: '160' });
  });
});

describe('expires_at', () => {
  const DAY_MS = 86_400_000;
  const session = exampleSession(Date.now());
  const daysLater = (days: number) => ({ timestampValue: new Date(session.session_start + days * DAY_MS).toJSON() });

  it.each([
    [undefined, 395, 395],
    [1, 1, 31],
    [31, 31, 31],
    [3650, 3650, 3650],
  ])('with retentionDays %s: %i days after the start, of a visitor %i', async (retentionDays, ofSession, ofVisitor) => {
    const fetch = fakeFetch(json(COMMITTED), json(COMMITTED));
    await firestoreAdapter({ ...CONFIG, retentionDays }).startSession(session);
    expect(readFields(fetch, 0).expires_at).toEqual(daysLater(ofSession));
    expect(readFields(fetch, 1).expires_at).toEqual(daysLater(ofVisitor));
  });

  it('is not shortened for a visitor', async () => {
    const fetch = fakeFetch(json(COMMITTED), DENIED(), json(COMMITTED));
    await firestoreAdapter(CONFIG).startSession(session);
    expect(readFields(fetch, 2)).toEqual({});
    expect(readMaximum(fetch, 2, 'last_seen')).toEqual({ integerValue: String(session.session_start) });
  });
});

function readWrite(fetch: ReturnType<typeof fakeFetch>, call: number) {
  return JSON.parse(String(fetch.mock.calls[call]?.[1].body)).writes[0];
}

function readFields(fetch: ReturnType<typeof fakeFetch>, call: number): Record<string, unknown> {
  return readWrite(fetch, call).update.fields;
}

function readMaximum(fetch: ReturnType<typeof fakeFetch>, call: number, field: string): unknown {
  const transforms: { fieldPath: string; maximum: unknown }[] = readWrite(fetch, call).updateTransforms;
  return transforms.find(({ fieldPath }) => fieldPath === field)?.maximum;
}

it('returns pending if addresses have to be confirmed, and gets the texts from the page’s server', async () => {
  const fetch = fakeFetch(
    json(COMMITTED),
    json({ successTitle: 'Check your inbox' }),
    new Response('', { status: 404 }),
  );
  const adapter = firestoreAdapter({ ...CONFIG, confirm: true });
  const signup = exampleSignup();
  expect(await adapter.createSignup(signup)).toBe('pending');
  expect(await adapter.inbox?.(signup, 'es')).toEqual({ successTitle: 'Check your inbox' });
  expect(fetch.mock.calls[1]?.[0]).toBe('/api/inbox');
  expect(await getFailureCode(Promise.resolve(adapter.inbox?.(signup)))).toBe('invalid');
});

describe('signups through the function', () => {
  const through = (options = {}) => firestoreAdapter({ projectId: 'shop', apiKey: 'k', ...options });

  it('go to the page’s own site, with the language and the App Check token, and leave the email to the function', async () => {
    const fetch = fakeFetch(json({ result: 'pending' }));
    const signup = exampleSignup();
    const adapter = through({ getAppCheckToken: () => 'app-check' });
    expect(await adapter.createSignup(signup, 'de')).toBe('pending');
    await adapter.sendWelcomeEmail(signup.email);
    expect(fetch).toHaveBeenCalledTimes(1);
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect([url, init?.headers]).toEqual(['/api/signups', { 'X-Firebase-AppCheck': 'app-check' }]);
    expect(JSON.parse(String(init?.body))).toEqual({ ...signup, lang: 'de' });
  });

  it('go to another endpoint, whose dashboard the overlay links to', async () => {
    const fetch = fakeFetch(json({ result: 'created' }));
    const adapter = through({ endpoint: 'https://shop.example/api' });
    await adapter.createSignup(exampleSignup());
    expect(fetch.mock.calls[0]?.[0]).toBe('https://shop.example/api/signups');
    expect([adapter.endpoint, through().endpoint]).toEqual(['https://shop.example/api', '/api']);
  });

  it('are retried once, and fail with the server’s text', async () => {
    fakeFetch(new Response('', { status: 503 }), json({ error: { message: 'no', text: 'Bitte prüfen' } }, 400));
    await expect(through().createSignup(exampleSignup())).rejects.toMatchObject({
      code: 'invalid',
      visitorText: 'Bitte prüfen',
    });
  });
});
