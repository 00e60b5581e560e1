import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  commit,
  fresh,
  type Group,
  nameDocument,
  post,
  type Question,
  read,
  splitList,
  type Target,
} from './target.ts';

const RULES = readFileSync(new URL('../../../early-access-firebase/firestore.rules', import.meta.url), 'utf8');
const DAY = 86_400_000;
const MINUTE = 60_000;

type Plain = string | number | boolean | null | Date | object | undefined;
type Fields = Readonly<Record<string, Plain>>;

/** Values that every field is tried with. Without a value the field is missing. */
const ANY: Fields = {
  missing: undefined,
  ...Object.fromEntries([null, true, -1, 0, 1, 100, 101, '', 'word'].map((value) => [JSON.stringify(value), value])),
  '1.0': { doubleValue: 1 },
  list: { arrayValue: {} },
  map: { mapValue: {} },
};
/** More values for fields with text. */
const TEXTS: Fields = {
  ...Object.fromEntries(splitList('a\nb ¦ a\u007f ¦ ________ ¦ abcdefgh.').map((text) => [JSON.stringify(text), text])),
  ...repeated('a', 7, 8, 64, 65, 256, 257, 1024, 1025, 2048, 2049),
  ...repeated('😀', 32, 33, 128, 129),
};
const NUMBERS = [60, 61, 121, 99_999, 100_000, 100_001, 1_000_000, 1_000_001];
/** Times around now. A minute may pass between a question and its answer. */
const TIMES = [-400, -1, 0, 1, 30, 31, 3651, 3653].flatMap((days) => [days * DAY - MINUTE, days * DAY + MINUTE]);

/** Addresses, with the characters whose case or category Unicode treats in a special way. */
const ADDRESSES = [
  ...splitList(
    'a@b.c ¦ a@b ¦ @b.c ¦ a@.c ¦ a@b. ¦ a b@c.d ¦ A@b.c ¦ a@B.c ¦ a@@b.c ¦ a@b.c. ¦ a@b..c ¦ .a@b.c ¦ a<@b.c ¦ a"@b.c ¦ a,b@c.d ¦ a;@b.c ¦ a\\@b.c ¦ a(@b.c ¦ o\'x@b.c ¦ a+b@c.d ¦ a@é.fr ¦ é@b.c ¦ É@b.c ¦ İ@b.c ¦ ı@b.c ¦ ß@b.c ¦ ẞ@b.c ¦ ǅ@b.c ¦ Ω@b.c ¦ Ⴀ@b.c ¦ Ꭰ@b.c ¦ K@b.c ¦ ﬁ@b.c ¦ 😀@b.c ¦ 漢@b.c ¦ e\u0301@b.c',
  ),
  ...splitList('\u00a0@b.c ¦ \u200b@b.c ¦ \ufeff@b.c ¦ \u2028@b.c ¦ \ue000@b.c ¦ a\u0000@b.c ¦ a\n@b.c ¦ a@b.c\n'),
  ...[250, 251].map((length) => `${'a'.repeat(length)}@b.c`),
  ...[125, 126].map((count) => `${'😀'.repeat(count)}@b.c`),
];

const CAMPAIGN = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c', utm_term: 't', utm_content: 'x' };

/** A record of each collection that the rules accept, and a field that none has. */
const BASES: Readonly<Record<string, (now: number) => Fields>> = {
  sessions: (now) => ({
    ...{ visitor_id: 'visitor-1', session_start: now, session_end: now, expires_at: new Date(now + 30 * DAY) },
    ...{ referrer: null, user_agent: 'UA', device_type: 'desktop', browser: 'Chrome', os: 'Linux', landing_path: '/' },
    ...{ is_returning_visitor: false, total_sessions: 1, page_count: 1, is_bounce: true },
    ...{ total_duration: 0, max_scroll_depth: 0, click_count: 0, surprise: undefined },
    ...CAMPAIGN,
  }),
  visitors: (now) => ({ last_seen: now, expires_at: new Date(now + 60 * DAY), surprise: undefined }),
  email_signups: () => ({
    ...{ session_id: 'session-1', source: 'hero', referrer: null, submission_id: 'submission-1', surprise: undefined },
    ...{ fields: { mapValue: {} }, page_url: 'https://a.example/' },
    ...CAMPAIGN,
  }),
};
/** Changes to a stored record. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, (now: number) => Fields>>>> = {
  sessions: {
    nothing: () => ({}),
    'more pages': () => ({ page_count: 3, is_bounce: false }),
    'more pages, still a bounce': () => ({ page_count: 3 }),
    'other numbers': () => ({ total_duration: 50, click_count: 9, max_scroll_depth: 9 }),
    'an impossible duration': () => ({ total_duration: 500 }),
    ...Object.fromEntries(
      splitList('click_count ¦ max_scroll_depth ¦ total_duration').map((name) => [
        `less ${name}`,
        () => ({ [name]: 1 }),
      ]),
    ),
    'another visitor': () => ({ visitor_id: 'visitor-2' }),
    'another start': (now) => ({ session_start: now - 1 }),
    'an earlier end': (now) => ({ session_end: now - 1 }),
    'no end': () => ({ session_end: undefined }),
    'a later expiry': (now) => ({ expires_at: new Date(now + 31 * DAY) }),
  },
  visitors: {
    nothing: () => ({}),
    later: (now) => ({ last_seen: now + 1 }),
    earlier: (now) => ({ last_seen: now - 1 }),
    'later, with a later expiry': (now) => ({ last_seen: now + 1, expires_at: new Date(now + 61 * DAY) }),
    'later, with an earlier expiry': (now) => ({ last_seen: now + 1, expires_at: new Date(now + 59 * DAY) }),
  },
};

const creates = Object.entries(BASES).flatMap(([collection, base]) =>
  Object.keys(base(0)).map((field): Group => {
    const questions = Object.keys(listValues(0, field)).map(
      (label): Question => [
        label,
        (target) => {
          const now = Date.now();
          const fields = { ...base(now), [field]: listValues(now, field)[label] };
          return collection === 'email_signups'
            ? signUp(target, newAddress(), fields)
            : write(target, update(fresh(collection), fields));
        },
      ],
    );
    return { name: `rules: create in ${collection} with ${field}`, rules: RULES, questions };
  }),
);

const WAYS: Readonly<Record<string, object>> = {
  update: {},
  create: { currentDocument: { exists: false } },
  'update of an existing document': { currentDocument: { exists: true } },
};
const changes = Object.entries(CHANGES).map(
  ([collection, variants]): Group => ({
    name: `rules: update in ${collection}`,
    rules: RULES,
    questions: Object.entries(variants).flatMap(([label, change]) =>
      [...Object.keys(WAYS), 'delete'].map(
        (way): Question => [
          `${label} by ${way}`,
          async (target) => {
            const [now, path] = [Date.now(), fresh(collection)];
            const counts = collection === 'sessions' ? { click_count: 5, max_scroll_depth: 5, total_duration: 5 } : {};
            const base = { ...BASES[collection]?.(now), ...counts };
            await commit(target, 'owner', update(path, base));
            const changed = update(path, { ...base, ...change(now) }, WAYS[way]);
            return write(target, way === 'delete' ? { delete: nameDocument(path) } : changed);
          },
        ],
      ),
    ),
  }),
);

const READ = splitList(
  'email_signups/unused ¦ email_signups/left-1 ¦ email_signups/a/submissions/b ¦ visitors/nobody ¦ visitors/visitor-1 ¦ sessions/session-1 ¦ erased_sessions/a ¦ elsewhere/a ¦ sessions/a/b/c ¦ email_signups/__a__ ¦ sessions/________',
);
const others: Readonly<Record<string, readonly Question[]>> = {
  'signup with an address': ADDRESSES.map((email) => [
    JSON.stringify(email.length > 99 ? `${email.length} units` : email),
    (target) => signUp(target, email),
  ]),
  'signup with another id': [hash('other@b.c'), hash('listed@b.c').toUpperCase(), 'left-1', 'a', '________'].map(
    (id) => [id, (target) => signUp(target, 'listed@b.c', BASES.email_signups?.(0), id)],
  ),
  read: READ.map((path) => [path, (target) => read(target, path)]),
  'two signups, and a read': splitList(' ¦ /submissions/submission-1 ¦ /submissions/submission-2 ¦ /other/a').map(
    (rest) => [
      `of the signup${rest}`,
      async (target) => {
        const email = newAddress();
        const outcomes = [await signUp(target, email), await signUp(target, email)];
        return [...outcomes, await read(target, `email_signups/${hash(email)}${rest}`)].join(', ');
      },
    ],
  ),
  list: splitList('email_signups ¦ sessions ¦ visitors ¦ elsewhere').flatMap((collectionId): Question[] => {
    const structuredQuery = { from: [{ collectionId }] };
    const structuredAggregationQuery = { structuredQuery, aggregations: [{ count: {} }] };
    return [
      [`query of ${collectionId}`, async (target) => (await post(target, 'runQuery', { structuredQuery })).status],
      [
        `count of ${collectionId}`,
        async (target) => (await post(target, 'runAggregationQuery', { structuredAggregationQuery })).status,
      ],
    ];
  }),
};

export const PROJECT_RULES: readonly Group[] = [
  ...creates,
  ...changes,
  ...Object.entries(others).map(([name, questions]) => ({ name: `rules: ${name}`, rules: RULES, questions })),
];

/** Values for a field by label; for times and numbers those around their limits, too. */
function listValues(now: number, field: string): Fields {
  const times = TIMES.map((offset) => [`now ${offset}`, now + offset] as const);
  if (field === 'expires_at')
    return { ...ANY, ...Object.fromEntries(times.map(([label, ms]) => [label, new Date(ms)])) };
  if (/_(start|end|seen|sessions|count|duration)$/.test(field)) {
    return { ...ANY, ...Object.fromEntries([...NUMBERS.map((n) => [String(n), n] as const), ...times]) };
  }
  return /_id|source|referrer|agent|path|url|content/.test(field) ? { ...ANY, ...TEXTS } : ANY;
}

async function signUp(
  target: Target,
  email: string,
  fields = BASES.email_signups?.(0),
  id = hash(email),
): Promise<string> {
  const updateTransforms = [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }];
  const more = { updateTransforms, currentDocument: { exists: false } };
  return write(target, update(`email_signups/${id}`, { email, ...fields }, more));
}

async function write(target: Target, operation: object): Promise<string> {
  return (await commit(target, undefined, operation)).status;
}

function update(path: string, fields: Fields, more: object = {}): object {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, encoded(value)]],
  );
  return { update: { name: nameDocument(path), fields: Object.fromEntries(entries) }, ...more };
}

/** A value of the REST API. Objects are values already. */
function encoded(value: Plain): unknown {
  if (value === null) return { nullValue: null };
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { booleanValue: value };
  return typeof value === 'number' ? { integerValue: String(value) } : value;
}

function repeated(text: string, ...counts: readonly number[]): Fields {
  return Object.fromEntries(counts.map((count) => [`${count} times ${text}`, text.repeat(count)]));
}

function newAddress(): string {
  return `${fresh('address').replace('/', '-')}@b.c`;
}

function hash(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
