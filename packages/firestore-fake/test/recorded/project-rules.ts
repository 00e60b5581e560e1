import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { commit, type Group, nameOf, post, type Question, read, type Target } from './target.ts';

const RULES = readFileSync(new URL('../../../firebase/firestore.rules', import.meta.url), 'utf8');
const DAY = 86_400_000;

type Fields = Record<string, object | undefined>;
const int = (n: number) => ({ integerValue: String(n) });
const time = (ms: number) => ({ timestampValue: new Date(ms).toISOString() });
const text = (value: string) => ({ stringValue: value });

/** What every field is tried with, whatever its type is. */
const ANY: Record<string, object | undefined> = {
  missing: undefined,
  null: { nullValue: null },
  true: { booleanValue: true },
  '-1': int(-1),
  0: int(0),
  1: int(1),
  100: int(100),
  101: int(101),
  '1.0': { doubleValue: 1 },
  list: { arrayValue: {} },
  map: { mapValue: {} },
  "''": text(''),
  word: text('word'),
};

/** What fields with text are tried with besides. */
const TEXTS: Record<string, object> = {
  'a line break': text('a\nb'),
  DEL: text('a\u007f'),
  '8 underscores': text('________'),
  'a dot': text('abcdefgh.'),
  ...Object.fromEntries([7, 8, 64, 65, 256, 257, 1024, 1025, 2048, 2049].map((length) => [`${length} letters`, text('a'.repeat(length))])),
  ...Object.fromEntries([32, 33, 128, 129].map((count) => [`${count} emoji`, text('😀'.repeat(count))])),
};

/** Addresses, with the characters whose case or category Unicode treats in a special way. */
const ADDRESSES = [
  'a@b.c', 'a@b', '@b.c', 'a@.c', 'a@b.', 'a b@c.d', 'A@b.c', 'a@B.c', 'a@@b.c', 'a@b.c.', 'a@b..c', '.a@b.c', 'a<@b.c', 'a"@b.c', 'a,b@c.d', 'a;@b.c', 'a\\@b.c', 'a(@b.c', "o'x@b.c", 'a+b@c.d', 'a@é.fr', 'é@b.c', 'É@b.c', 'İ@b.c', 'ı@b.c', 'ß@b.c', 'ẞ@b.c', 'ǅ@b.c', 'Ω@b.c', 'Ⴀ@b.c', 'Ꭰ@b.c', 'K@b.c', 'ﬁ@b.c', '😀@b.c', '\u00a0@b.c', '\u200b@b.c', '\ufeff@b.c', '\u2028@b.c', '\ue000@b.c', 'a\u0000@b.c', 'a\n@b.c', 'a@b.c\n', '漢@b.c', 'e\u0301@b.c', `${'a'.repeat(250)}@b.c`, `${'a'.repeat(251)}@b.c`, `${'😀'.repeat(125)}@b.c`, `${'😀'.repeat(126)}@b.c`,
];

/** Times around now. A few seconds may pass between a question and its answer. */
const TIMES = [-400 * DAY, -DAY - 60_000, -DAY + 60_000, 0, 1000, DAY - 60_000, DAY + 60_000, 30 * DAY, 31 * DAY + 60_000, 3651 * DAY, 3654 * DAY];
const NUMBERS = [60, 61, 121, 99_999, 100_000, 100_001, 1_000_000, 1_000_001];

const session = (now: number): Fields => ({
  visitor_id: text('visitor-1'), session_start: int(now), referrer: { nullValue: null }, user_agent: text('UA'), device_type: text('desktop'), browser: text('Chrome'), os: text('Linux'),
  is_returning_visitor: { booleanValue: false }, total_sessions: int(1), session_end: int(now), page_count: int(1), total_duration: int(0), max_scroll_depth: int(0), click_count: int(0), is_bounce: { booleanValue: true },
  expires_at: time(now + 30 * DAY), landing_path: text('/'), utm_source: text('s'), utm_medium: text('m'), utm_campaign: text('c'), utm_term: text('t'), utm_content: text('x'), surprise: undefined,
});
const signup = (): Fields => ({
  session_id: text('session-1'), source: text('hero'), referrer: { nullValue: null }, submission_id: text('submission-1'), fields: { mapValue: {} }, page_url: text('https://a.example/'),
  utm_source: text('s'), utm_medium: text('m'), utm_campaign: text('c'), utm_term: text('t'), utm_content: text('x'), surprise: undefined,
});
const visitor = (now: number): Fields => ({ last_seen: int(now), expires_at: time(now + 60 * DAY), surprise: undefined });

let documents = 0;
const fresh = (collection: string) => `${collection}/document-${(documents += 1)}`;
const present = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const update = (path: string, fields: Fields, more: object = {}) => ({ update: { name: nameOf(path), fields: present(fields) }, ...more });

async function signUp(target: Target, email: string, fields: Fields = signup(), id = createHash('sha256').update(email).digest('hex')): Promise<string> {
  const write = update(`email_signups/${id}`, { email: text(email), ...fields }, { updateTransforms: [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }], currentDocument: { exists: false } });
  return (await commit(target, undefined, write)).status;
}

/** Values for a field by label; numbers and times too, as offsets from now. */
function valuesOf(now: number, field: string): Record<string, object | undefined> {
  if (field === 'expires_at') return Object.fromEntries([...Object.entries(ANY).slice(0, 6), ...TIMES.map((offset) => [`now ${offset}`, time(now + offset)])]);
  if (/_id|source|referrer|agent|path|url|content/.test(field)) return { ...ANY, ...TEXTS };
  if (!['session_start', 'session_end', 'last_seen', 'total_sessions', 'page_count', 'total_duration', 'click_count'].includes(field)) return ANY;
  const numbers = [...NUMBERS.map((n) => [String(n), int(n)]), ...TIMES.map((offset) => [`now ${offset}`, int(now + offset)])];
  return { ...ANY, ...Object.fromEntries(numbers) };
}

const CREATES: Record<string, { base: (now: number) => Fields; create: (target: Target, fields: Fields) => Promise<string> }> = {
  sessions: { base: session, create: async (target, fields) => (await commit(target, undefined, update(fresh('sessions'), fields))).status },
  visitors: { base: visitor, create: async (target, fields) => (await commit(target, undefined, update(fresh('visitors'), fields))).status },
  email_signups: { base: signup, create: (target, fields) => signUp(target, `${(documents += 1)}@b.c`, fields) },
};

const creates = Object.entries(CREATES).flatMap(([collection, { base, create }]) =>
  Object.keys(base(0)).map((field): Group => ({
    name: `rules: create in ${collection} with ${field}`,
    rules: RULES,
    questions: Object.keys(valuesOf(0, field)).map((label): Question => [label, (target) => {
      const now = Date.now();
      return create(target, { ...base(now), [field]: valuesOf(now, field)[label] });
    }]),
  })),
);

/** How a stored record may change. */
const CHANGES: Record<string, Record<string, (now: number) => Fields>> = {
  sessions: {
    nothing: () => ({}), 'more pages': () => ({ page_count: int(3), is_bounce: { booleanValue: false } }), 'more pages, still a bounce': () => ({ page_count: int(3) }), 'fewer clicks': () => ({ click_count: int(1) }), 'more clicks': () => ({ click_count: int(9) }), 'less scrolled': () => ({ max_scroll_depth: int(1) }),
    'longer': () => ({ total_duration: int(50) }), 'much longer': () => ({ total_duration: int(500) }), 'shorter': () => ({ total_duration: int(1) }), 'another visitor': () => ({ visitor_id: text('visitor-2') }), 'another start': (now) => ({ session_start: int(now - 1) }), 'an earlier end': (now) => ({ session_end: int(now - 1) }), 'no end': () => ({ session_end: undefined }), 'a later expiry': (now) => ({ expires_at: time(now + 31 * DAY) }), 'another browser': () => ({ browser: text('Edge') }),
  },
  visitors: { nothing: () => ({}), later: (now) => ({ last_seen: int(now + 1) }), earlier: (now) => ({ last_seen: int(now - 1) }), 'later, with a later expiry': (now) => ({ last_seen: int(now + 1), expires_at: time(now + 61 * DAY) }), 'later, with an earlier expiry': (now) => ({ last_seen: int(now + 1), expires_at: time(now + 59 * DAY) }) },
};
const BASES: Record<string, (now: number) => Fields> = { sessions: (now) => ({ ...session(now), click_count: int(5), max_scroll_depth: int(5), total_duration: int(5) }), visitors: visitor };
const changes = Object.entries(CHANGES).map(([collection, variants]): Group => ({
  name: `rules: update in ${collection}`,
  rules: RULES,
  questions: Object.entries(variants).flatMap(([label, change]) => ['update', 'create', 'update of an existing document', 'delete'].map((kind): Question => [`${label} by ${kind}`, async (target) => {
    const [now, path] = [Date.now(), fresh(collection)];
    const base = BASES[collection]?.(now) ?? {};
    await commit(target, 'owner', update(path, base));
    const condition = kind === 'create' ? { currentDocument: { exists: false } } : kind === 'update' ? {} : { currentDocument: { exists: true } };
    return (await commit(target, undefined, kind === 'delete' ? { delete: nameOf(path) } : update(path, { ...base, ...change(now) }, condition))).status;
  }])),
}));

const hash = (email: string) => createHash('sha256').update(email).digest('hex');
const LISTED = 'listed@b.c';
const others: Group[] = [
  { name: 'rules: signup with an address', rules: RULES, questions: ADDRESSES.map((email): Question => [JSON.stringify(email.length > 99 ? `${email.length} units` : email), (target) => signUp(target, email)]) },
  {
    name: 'rules: signup with another id',
    rules: RULES,
    questions: [hash('other@b.c'), hash(LISTED).toUpperCase(), 'left-1', 'a', '________'].map((id): Question => [id, (target) => signUp(target, LISTED, signup(), id)]),
  },
  {
    name: 'rules: reads',
    rules: RULES,
    questions: [`email_signups/${hash('nobody@b.c')}`, 'email_signups/left-1', 'email_signups/a/submissions/b', 'visitors/nobody', 'visitors/visitor-1', 'sessions/session-1', 'erased_sessions/a', 'elsewhere/a', 'elsewhere/a/b/c', 'sessions/a/b/c', 'email_signups/__a__', 'sessions/________'].map((path): Question => [path, (target) => read(target, path)]),
  },
  {
    name: 'rules: reads of a listed address',
    rules: RULES,
    questions: [['the signup', ''], ['its submission', '/submissions/submission-1'], ['another submission', '/submissions/submission-2'], ['something else', '/other/a']].map(([label = '', rest]): Question => [label, async (target) => {
      const email = `${(documents += 1)}@listed.c`;
      const outcomes = [await signUp(target, email), await signUp(target, email), await read(target, `email_signups/${hash(email)}${rest}`)];
      return outcomes.join(', ');
    }]),
  },
  {
    name: 'rules: lists',
    rules: RULES,
    questions: ['email_signups', 'sessions', 'visitors', 'elsewhere'].flatMap((collectionId) => {
      const structuredQuery = { from: [{ collectionId }] };
      return [
        [`query of ${collectionId}`, async (target) => (await post(target, 'runQuery', { structuredQuery })).status] as const,
        [`count of ${collectionId}`, async (target) => (await post(target, 'runAggregationQuery', { structuredAggregationQuery: { structuredQuery, aggregations: [{ count: {} }] } })).status] as const,
      ];
    }),
  },
];

export const PROJECT_RULES: readonly Group[] = [...creates, ...changes, ...others];
