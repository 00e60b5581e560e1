import { webUrl } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { anything, broken, inPath, nasty } from '@early-access-kit/testkit/hostile';
import { ATTRIBUTION, sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { isId, parseSessionStart, parseSessionUpdate } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { readSignup } from '../../app/signup/read-signup.ts';
import { appHarness, UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';

const CODES = ['forbidden', 'invalid', 'rate-limited', 'unavailable'];

const session = sessionOf();

interface Route {
  readonly path: fc.Arbitrary<string>;
  readonly body: fc.Arbitrary<unknown>;
  /** Core's parser, which throws exactly if the generated request is malformed. */
  readonly valid: (body: unknown) => unknown;
}

const ROUTES: readonly [string, Route][] = [
  [
    'signups',
    {
      path: fc.constant('/api/signups'),
      body: broken(() => signupOf(ATTRIBUTION)),
      valid: (body) => readSignup(body, {}),
    },
  ],
  ['sessions', { path: fc.constant('/api/sessions'), body: broken(sessionOf), valid: parseSessionStart }],
  [
    'session updates',
    {
      path: fc.constant(`/api/sessions/${session.id}`),
      body: broken(() => updateOf(session)),
      valid: parseSessionUpdate,
    },
  ],
  [
    'session ids',
    {
      path: nasty.filter((id) => !isId(id)).map((id) => `/api/sessions/${inPath(id)}`),
      body: fc.constant(updateOf(session)),
      valid: () => {
        throw new Error('no such id is valid');
      },
    },
  ],
];

/** Number of rows in each table. */
const ROW_COUNTS = `
  SELECT (SELECT count(*) FROM email_signups) || '/' || (SELECT count(*) FROM mails) || '/' ||
    (SELECT count(*) FROM sessions) || '/' || (SELECT count(*) FROM analytics_hours) || '/' || (SELECT count(*) FROM traffic_sources)
`;

describe('hostile input', () => {
  const rateLimits = UNLIMITED_RATE_LIMITS;

  it.each(ROUTES)('to %s: a malformed record gets a 4xx with a stable code and changes nothing', async (_, route) => {
    const { post, raw, log } = appHarness({ rateLimits });
    await fc.assert(
      fc.asyncProperty(route.path, route.body, async (path, body) => {
        const text = JSON.stringify(body);
        const isValid = accepts(route.valid, JSON.parse(text));
        fc.pre(!isValid);
        const before = readValue(raw, ROW_COUNTS);
        const response = await post(path, text);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
        expect(CODES).toContain((await readFailure(response)).code);
        expect(readValue(raw, ROW_COUNTS)).toBe(before);
      }),
      { numRuns: 60, seed: 1 },
    );
    expect(log).toEqual([]);
  });

  it.each(['signups', 'welcome-email', 'sessions', `sessions/${session.id}`, 'summary'])(
    'to %s: a body of any type gets a response, and the server keeps working',
    async (path) => {
      const { post, raw, log } = appHarness({ rateLimits });
      const types = fc.constantFrom(
        'text/plain',
        'application/json',
        'text/html',
        '',
        'multipart/form-data; boundary=x',
      );
      const bodies = fc.oneof(
        anything.map((value) => JSON.stringify(value) ?? ''),
        nasty,
        fc.constant('['.repeat(16_000)),
      );
      await fc.assert(
        fc.asyncProperty(types, bodies, async (type, body) => {
          const response = await post(`/api/${path}`, body, { headers: { 'content-type': type } });
          expect([400, 403, 413, 415]).toContain(response.status);
          expect(CODES).toContain((await readFailure(response)).code);
        }),
        { numRuns: 40, seed: 1 },
      );
      expect(readValue(raw, ROW_COUNTS)).toBe('0/0/0/0/0');
      expect(log).toEqual([]);
      expect((await post('/api/signups', signupOf())).status).toBe(201);
    },
  );

  it('to the form: any fields get a page that contains no markup from them', async () => {
    const { post, log } = appHarness({ rateLimits });
    const fields = fc.dictionary(fc.constantFrom('email', 'source', 'website', 'other'), nasty);
    await fc.assert(
      fc.asyncProperty(fields, async (values) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const form = new URLSearchParams(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.slice(0, 5_000)])),
        );
        const response = await post('/api/signup-form', form.toString(), { headers });
        expect([201, 400, 409, 413]).toContain(response.status);
        const page = await response.text();
        expect(page).toMatch(/^<!doctype html>/);
        expect(page).not.toContain('<script');
      }),
      { numRuns: 40, seed: 1 },
    );
    expect(log).toEqual([]);
  });

  it('from a foreign origin: nothing is stored', async () => {
    const { post, raw } = appHarness({ rateLimits });
    const origins = fc.oneof(
      webUrl.map((url) => new URL(url).origin),
      fc.constantFrom('null', 'file://', 'localhost'),
    );
    await fc.assert(
      fc.asyncProperty(origins, async (origin) => {
        for (const [path, body] of [
          ['signups', signupOf()],
          ['sessions', sessionOf()],
        ] as const) {
          expect((await post(`/api/${path}`, body, { headers: { origin } })).status).toBe(403);
        }
      }),
      { numRuns: 30, seed: 1 },
    );
    expect(readValue(raw, ROW_COUNTS)).toBe('0/0/0/0/0');
  });

  it('as an address: only an address on one line is stored', async () => {
    const { post, store } = appHarness({ rateLimits });
    const addresses = fc
      .tuple(nasty, fc.constantFrom('@x.io', '@x', 'x.io', ''))
      .map(([name, rest]) => name.slice(0, 300) + rest);
    await fc.assert(
      fc.asyncProperty(addresses, async (email) => {
        await post('/api/signups', signupOf({ email }));
      }),
      { numRuns: 150, seed: 1 },
    );
    const stored = [...store.signups()].map(({ email }) => email);
    expect(stored.length).toBeGreaterThan(0);
    for (const email of stored) expect(email).toMatch(/^[^\s<>()[\],;:"\\\p{C}@]+@x\.io$/u);
  });
});

function accepts(parse: (body: unknown) => unknown, body: unknown): boolean {
  try {
    parse(body);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

async function readFailure(response: Response): Promise<{ code: string }> {
  const { error }: { error: { code: string } } = JSON.parse(await response.text());
  return error;
}
