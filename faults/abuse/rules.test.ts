import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fc } from '@early-access-kit/testkit/fast-check';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import {
  type FirestoreDatabase,
  type FirestoreEmulator,
  findFirestoreEmulator,
  startFirestoreEmulator,
} from '@early-access-kit/testkit/firestore-emulator';
import { ATTRIBUTION, sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { generateRules } from 'early-access-firebase/rules';
import {
  clampDuration,
  DAY_MS,
  type FieldDeclarations,
  parseSessionId,
  parseSessionStart,
  parseSessionUpdate,
  parseSignup,
} from 'early-access-kit/internal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changes, type Document, plain, value, wire, withChanges } from './documents.ts';

const PROJECT_ID = 'demo-early-access';
const ROOT = `projects/${PROJECT_ID}/databases/(default)/documents`;
const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 20 },
  site: { type: 'url', label: 'Site' },
  size: { type: 'select', label: 'Size', options: ['solo', "it's more"] },
  news: { type: 'checkbox', label: 'News' },
  terms: { type: 'checkbox', label: 'I agree', consent: true },
};
/** The deployed rules with custom fields, at a fixed time. */
const TEMPLATE = readFileSync(new URL('../../packages/early-access-firebase/firestore.rules', import.meta.url), 'utf8');
const NOW = 1_760_000_000_000;
const RULES = generateRules(TEMPLATE, { fields: FIELDS, directSignups: true }).replaceAll(
  'request.time',
  `timestamp.value(${NOW})`,
);
const INPUTS = rounds({ short: 150, long: 100_000 });
const EMAIL = 'ada@example.org';
const SIGNUP_ID = createHash('sha256').update(EMAIL).digest('hex');
const ID = 'an-id-of-its-own';
const STATUSES = [200, 400, 403, 404, 409];

const files = findFirestoreEmulator();
let emulator: FirestoreEmulator;
let database: FirestoreDatabase;

const storedFields = async (path: string): Promise<Document | undefined> => {
  const stored = await database.get(path);
  return stored && (stored.fields ?? {});
};

/** A document that the rules accept, with checks that every accepted write could be the application's own. */
interface Subject {
  readonly path: string;
  readonly document: Document;
  /** Throws if the application could not have created the document. */
  check(document: Record<string, unknown>): void;
  /** Throws if the application would never change `before` to `after`. */
  checkChange(before: Record<string, unknown>, after: Record<string, unknown>): void;
}

const SIGNUP: Subject = {
  path: `email_signups/${SIGNUP_ID}`,
  document: wire({
    ...signupOf({
      ...ATTRIBUTION,
      email: EMAIL,
      fields: { company: 'Acme', site: 'https://acme.example', size: "it's more", news: true, terms: 'I agree' },
    }),
    // Written as a value, because the emulator would use its own time.
    created_at: new Date(NOW),
  }),
  check({ created_at, ...signup }) {
    expect(created_at).toEqual(new Date(NOW));
    expect(parseSignup(signup, FIELDS)).toEqual({ ...signup, email: EMAIL });
  },
  checkChange: () => expect.unreachable('a signup is never written again'),
};

const TOTALS = { page_count: 3, total_duration: 40, max_scroll_depth: 50, click_count: 2 };
const SESSION: Subject = {
  path: `sessions/${ID}`,
  document: wire({
    ...updateOf(sessionOf({ session_start: NOW }), { ...TOTALS, session_end: NOW + 40_000 }),
    is_bounce: false,
    expires_at: new Date(NOW + 395 * DAY_MS),
  }),
  check({ is_bounce, expires_at, ...session }) {
    const start = parseSessionStart({ id: ID, ...session });
    const { page_count, ...totals } = parseSessionUpdate(session);
    expect({ session_end: null, ...session }).toEqual({ ...start, ...totals, page_count, id: undefined });
    expect(clampDuration(totals, start.session_start, NOW)).toEqual(totals);
    expect(is_bounce).toBe(page_count === 1);
    expect(expires_at).toBeInstanceOf(Date);
  },
  checkChange(before, after) {
    for (const [name, old] of Object.entries(before)) {
      const grows = name in TOTALS || name === 'session_end';
      if (grows) expect(after[name]).toBeGreaterThanOrEqual(Number(old));
      else expect([name, after[name]]).toEqual([name, old]);
    }
  },
};

const VISITOR: Subject = {
  path: `visitors/${ID}`,
  document: wire({ last_seen: NOW, expires_at: new Date(NOW + 395 * DAY_MS) }),
  check({ last_seen, expires_at, ...more }) {
    parseSessionId(ID);
    expect(Math.abs(Number(last_seen) - NOW)).toBeLessThanOrEqual(DAY_MS);
    expect(Number(expires_at)).toBeGreaterThanOrEqual(Number(last_seen) + 31 * DAY_MS);
    expect(more).toEqual({});
  },
  checkChange(before, after) {
    expect(after.last_seen).toBeGreaterThan(Number(before.last_seen));
    expect(Number(after.expires_at)).toBeGreaterThanOrEqual(Number(before.expires_at));
  },
};

const SUBJECTS = [
  ['signup', SIGNUP],
  ['session', SESSION],
  ['visitor', VISITOR],
] as const;

/** Sends a request as an anonymous caller. */
async function send(verb: string, body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${emulator.url}/v1/${ROOT}:${verb}?key=demo-key`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Commits a write as an anonymous caller. */
async function commit(write: object): Promise<number> {
  return (await send('commit', { writes: [write] })).status;
}

/** Creates the document the way the application does. */
function create({ path, document }: Subject): Promise<number> {
  return commit({ update: { name: nameDocument(path), fields: document } });
}

function nameDocument(path: string): string {
  return `${ROOT}/${path}`;
}

function tally(name: string) {
  const statuses: Record<number, number> = {};
  return {
    count(status: number) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      expect(STATUSES).toContain(status);
    },
    report: () => report(`abuse, rules, ${name}: responses by status`, JSON.stringify(statuses)),
  };
}

describe.skipIf(typeof files === 'string')(`of ${INPUTS} inputs to the rules`, () => {
  beforeAll(async () => {
    if (typeof files === 'string') return;
    emulator = await startFirestoreEmulator(files);
    database = emulator.database(PROJECT_ID);
    await database.setRules(RULES);
  });
  beforeEach(() => database.clear());
  afterAll(() => emulator.stop());

  it.each(SUBJECTS)('none creates a %s that the application would not create', async (name, subject) => {
    const { path, document } = subject;
    const responses = tally(`creating a ${name}`);
    const transform = fc.constantFrom([], [{ fieldPath: 'extra', increment: { integerValue: '1' } }]);
    await fc.assert(
      fc.asyncProperty(changes(document, 'fields'), transform, async (changed, updateTransforms) => {
        await database.clear();
        const update = { name: nameDocument(path), fields: withChanges(document, changed) };
        const status = await commit({ update, updateTransforms, currentDocument: { exists: false } });
        responses.count(status);
        const created = await storedFields(path);
        expect(created !== undefined).toBe(status === 200);
        if (created !== undefined) subject.check(plain(created));
      }),
      { numRuns: INPUTS },
    );
    responses.report();
  });

  it.each(SUBJECTS)('none changes a %s in a way that the application would not', async (name, subject) => {
    const { path } = subject;
    expect(await create(subject)).toBe(200);
    const fields = (await storedFields(path)) ?? {};
    const before = plain(fields);
    const responses = tally(`altering a ${name}`);
    const names = fc.constantFrom(...Object.keys(fields), 'is_admin');
    const transform = fc.record({ fieldPath: names, maximum: value });
    await fc.assert(
      fc.asyncProperty(
        changes(fields, 'fields'),
        fc.array(transform, { maxLength: 2 }),
        fc.constantFrom('mask', 'whole', 'delete'),
        async (changed, updateTransforms, how) => {
          await database.put(path, fields);
          const whole = how === 'whole' ? withChanges(fields, changed) : withChanges({}, changed);
          const update = { name: nameDocument(path), fields: whole };
          const mask = how === 'mask' ? { updateMask: { fieldPaths: [...changed.keys()] } } : {};
          const status = await commit(
            how === 'delete' ? { delete: update.name } : { update, ...mask, updateTransforms },
          );
          responses.count(status);
          const after = await storedFields(path);
          if (status !== 200) expect(after).toEqual(fields);
          else {
            const record = plain(after ?? {});
            subject.check(record);
            subject.checkChange(before, record);
          }
        },
      ),
      { numRuns: INPUTS },
    );
    responses.report();
  });

  it('none can read anything', async () => {
    for (const [, subject] of SUBJECTS) expect(await create(subject)).toBe(200);
    const responses = tally('reading');
    const submissions = `email_signups/${SIGNUP_ID}/submissions`;
    const collection = fc.constantFrom('email_signups', 'sessions', 'visitors', 'mails', 'throttles', submissions);
    const id = fc.constantFrom(SIGNUP_ID, ID, 'nobody', EMAIL, '..', '');
    const field = fc.constantFrom('email', 'session_id', '__name__', 'created_at', 'x');
    const query = fc.oneof(
      fc
        .tuple(collection, id)
        .map(([name, document]) => ['batchGet', { documents: [nameDocument(`${name}/${document}`)] }] as const),
      fc.tuple(collection, field, value).map(([collectionId, fieldPath, compared]) => {
        const where = { fieldFilter: { field: { fieldPath }, op: 'EQUAL', value: compared } };
        return ['runQuery', { structuredQuery: { from: [{ collectionId }], where } }] as const;
      }),
      collection.map((collectionId) => {
        const structuredQuery = { from: [{ collectionId }] };
        const aggregations = [{ alias: 'all', count: {} }];
        return ['runAggregationQuery', { structuredAggregationQuery: { structuredQuery, aggregations } }] as const;
      }),
    );
    await fc.assert(
      fc.asyncProperty(query, async ([verb, body]) => {
        const { status, body: response } = await send(verb, body);
        responses.count(status);
        // A caller can at most learn that a signup does not exist.
        if (status === 200) expect(response).toEqual([expect.objectContaining({ missing: expect.any(String) })]);
        expect(JSON.stringify(response)).not.toContain('"fields"');
      }),
      { numRuns: INPUTS },
    );
    responses.report();
  });
});
