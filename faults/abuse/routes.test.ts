import { join } from 'node:path';
import { fc } from '@early-access-kit/testkit/fast-check';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { anything, broken, inPath, nasty } from '@early-access-kit/testkit/hostile';
import { liveMegabytes } from '@early-access-kit/testkit/memory';
import { ATTRIBUTION, sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { parseSessionStart, parseSessionUpdate, parseSignup } from 'early-access-kit/internal';
import { createEarlyAccess, DEFAULT_RATE_LIMITS } from 'early-access-server';
import { sqliteStore } from 'early-access-server/sqlite';
import { expect, it, onTestFinished } from 'vitest';

const INPUTS = rounds({ short: 400, long: 100_000 });
/** Maximum growth of memory during the second half of the inputs, as a factor. */
const MAX_GROWTH = 1.05;

interface Input {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** An application with a new database and without rate limits. `log` collects its log lines. */
function startApplication() {
  const store = sqliteStore({ file: join(tempFolder(), 'test.sqlite') });
  onTestFinished(() => store.close());
  const log: unknown[] = [];
  const unlimited = { burst: 1e9, perMinute: 1e9 };
  const { fetch } = createEarlyAccess({
    store,
    log: (...line) => log.push(line),
    adminEmail: 'admin@example.com',
    rateLimits: {
      ...DEFAULT_RATE_LIMITS,
      signups: unlimited,
      welcomeEmails: unlimited,
      signupForms: unlimited,
      sessions: unlimited,
      summaries: unlimited,
      wrongAdmins: unlimited,
      allWrongAdmins: unlimited,
      signupsPerMailbox: unlimited,
      welcomeEmailsPerMailbox: unlimited,
    },
  });
  async function post(path: string, body: string, type = 'text/plain;charset=UTF-8'): Promise<Response> {
    const headers = { host: 'localhost:4173', 'content-type': type };
    const request = new Request(`http://localhost:4173${path}`, { method: 'POST', headers, body });
    return fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });
  }
  return { post, log };
}

const JSON_TYPES = ['text/plain', 'application/json'];
const TYPES = [...JSON_TYPES, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html', ''];
const session = sessionOf();

/** Mostly records that are almost valid, because they reach the most code. */
function inputs(path: fc.Arbitrary<string>, record: fc.Arbitrary<unknown>): fc.Arbitrary<Input> {
  const body = fc.oneof(
    { weight: 6, arbitrary: record.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: anything.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: record.map((value) => JSON.stringify(value).slice(0, -1)) },
  );
  const type = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...JSON_TYPES) }, fc.constantFrom(...TYPES));
  return fc.record({ path, type, body });
}

const form = fc
  .dictionary(fc.constantFrom('email', 'source', 'website', 'other'), nasty)
  .map((fields) => new URLSearchParams(fields).toString());
const sessionPath = fc.oneof(
  fc.constant(`/api/sessions/${session.id}`),
  nasty.map((id) => `/api/sessions/${inPath(id)}`),
);

/** Parses the body of a signup by an API client, in which two fields are optional. */
function parseSignupOfProgram(body: unknown) {
  return parseSignup({ source: 'api', submission_id: 'of-a-program', ...Object(body) });
}

const ROUTES: readonly [string, fc.Arbitrary<Input>, ((body: unknown) => unknown) | null][] = [
  [
    'signups',
    inputs(
      fc.constant('/api/signups'),
      broken(() => signupOf(ATTRIBUTION)),
    ),
    parseSignupOfProgram,
  ],
  ['sessions', inputs(fc.constant('/api/sessions'), broken(sessionOf)), parseSessionStart],
  [
    'sessions/{id}',
    inputs(
      sessionPath,
      broken(() => updateOf(session)),
    ),
    parseSessionUpdate,
  ],
  [
    'welcome-email',
    inputs(
      fc.constant('/api/welcome-email'),
      broken(() => ({ email: 'me@x.io' })),
    ),
    null,
  ],
  [
    'summary',
    inputs(
      fc.constant('/api/summary'),
      broken(() => ({ admin_email: 'x@y.io' })),
    ),
    null,
  ],
  [
    'signup-form',
    fc.record({
      path: fc.constant('/api/signup-form'),
      type: fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/x-www-form-urlencoded') },
        fc.constantFrom(...TYPES),
      ),
      body: fc.oneof({ weight: 4, arbitrary: form }, nasty),
    }),
    null,
  ],
];

const EXPECTED_STATUSES = [200, 201, 202, 204, 400, 403, 404, 409, 413, 415];

it.each(ROUTES)(
  `of ${INPUTS} inputs, none breaks POST %s, and only valid records are accepted`,
  async (name, arbitrary, parse) => {
    const { post, log } = startApplication();
    const statuses: Record<number, number> = {};
    const property = fc.asyncProperty(arbitrary, async ({ path, type, body }) => {
      const { status } = await post(path, body, type);
      statuses[status] = (statuses[status] ?? 0) + 1;
      expect(EXPECTED_STATUSES).toContain(status);
      if (parse !== null && status < 300) expect(() => parse(JSON.parse(body))).not.toThrow();
    });
    await fc.assert(property, { numRuns: INPUTS / 2 });
    const half = liveMegabytes();
    await fc.assert(property, { numRuns: INPUTS / 2 });
    const growth = liveMegabytes() / half;
    report(`abuse, inputs to ${name}: memory in use after all of them, beside half`, growth.toFixed(3));
    report(`abuse, inputs to ${name}: responses by status`, JSON.stringify(statuses));
    expect(log).toEqual([]);
    expect((await post('/api/signups', JSON.stringify(signupOf()))).status).toBe(201);
    expect(growth).toBeLessThan(MAX_GROWTH);
  },
);
