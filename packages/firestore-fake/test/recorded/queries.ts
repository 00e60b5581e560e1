import { type Answer, commit, type Group, nameOf, post, type Question, type Target } from './target.ts';

/** One document for each value, whose id sorts as the values do in Firestore. */
const STORED: Record<string, object> = {
  a_null: { nullValue: null },
  b_false: { booleanValue: false },
  b_true: { booleanValue: true },
  c_NaN: { doubleValue: 'NaN' },
  c_min: { integerValue: '-9223372036854775808' },
  c_one: { integerValue: '1' },
  c_one_double: { doubleValue: 1 },
  c_two_half: { doubleValue: 2.5 },
  d_time: { timestampValue: '2024-01-01T00:00:00Z' },
  e_empty: { stringValue: '' },
  e_x: { stringValue: 'x' },
  e_fffd: { stringValue: '\ufffd' },
  e_fox: { stringValue: '🦊' },
  f_bytes: { bytesValue: 'AAA=' },
  g_numeric: { referenceValue: nameOf('a/__id9__') },
  g_name: { referenceValue: nameOf('a/B') },
  h_place: { geoPointValue: { latitude: 1, longitude: 2 } },
  i_empty_list: { arrayValue: {} },
  i_list: { arrayValue: { values: [{ integerValue: '1' }, { stringValue: 'x' }] } },
  j_empty_map: { mapValue: {} },
  j_map: { mapValue: { fields: { a: { nullValue: null } } } },
};
const OPERATORS = ['EQUAL', 'NOT_EQUAL', 'LESS_THAN', 'GREATER_THAN_OR_EQUAL', 'ARRAY_CONTAINS'];
const LIST_OPERATORS = ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'];
const LISTS: Record<string, object> = {
  '[]': {},
  '[1]': { values: [{ integerValue: '1' }] },
  '[x, 2.5]': { values: [{ stringValue: 'x' }, { doubleValue: 2.5 }] },
  '[1, null]': { values: [{ integerValue: '1' }, { nullValue: null }] },
  '[NaN]': { values: [{ doubleValue: 'NaN' }] },
  '10 values': { values: Array.from({ length: 10 }, (_, n) => ({ integerValue: `${n}` })) },
  '11 values': { values: Array.from({ length: 11 }, (_, n) => ({ integerValue: `${n}` })) },
  '30 values': { values: Array.from({ length: 30 }, (_, n) => ({ integerValue: `${n}` })) },
  '31 values': { values: Array.from({ length: 31 }, (_, n) => ({ integerValue: `${n}` })) },
};
const v = { fieldPath: 'v' };
const name = { fieldPath: '__name__' };
const field = (op: string, value: object, of: object = v) => ({ fieldFilter: { field: of, op, value } });
const and = (...filters: readonly object[]) => ({ compositeFilter: { op: 'AND', filters } });
const or = (...filters: readonly object[]) => ({ compositeFilter: { op: 'OR', filters } });
const one = { integerValue: '1' };
const reference = (id: string) => ({ referenceValue: nameOf(`queried/${id}`) });

const QUERIES: Record<string, object> = {
  all: {},
  'by v': { orderBy: [{ field: v }] },
  'by v, descending': { orderBy: [{ field: v, direction: 'DESCENDING' }] },
  'by v twice': { orderBy: [{ field: v }, { field: v }] },
  'by name, then v': { orderBy: [{ field: name }, { field: v }] },
  'by a field that none has': { orderBy: [{ field: { fieldPath: 'none' } }] },
  'limit 2': { limit: 2 },
  'limit 0': { limit: 0 },
  'limit -1': { limit: -1 },
  'offset 18': { offset: 18 },
  'offset -1': { offset: -1 },
  'start at 1': { orderBy: [{ field: v }], startAt: { values: [one], before: true }, limit: 3 },
  'start after 1': { orderBy: [{ field: v }], startAt: { values: [one] }, limit: 3 },
  'start after 1 and a name': { orderBy: [{ field: v }], startAt: { values: [one, reference('c_one')] }, limit: 2 },
  'start after 1, descending': { orderBy: [{ field: v, direction: 'DESCENDING' }], startAt: { values: [one] }, limit: 3 },
  'end at 1': { orderBy: [{ field: v }], endAt: { values: [one] } },
  'end before 1': { orderBy: [{ field: v }], endAt: { values: [one], before: true } },
  'start after a name': { startAt: { values: [reference('i_list')] } },
  'a cursor with too many values': { startAt: { values: [one, one] } },
  'a cursor without values': { orderBy: [{ field: v }], startAt: {}, limit: 1 },
  'is null': { where: { unaryFilter: { field: v, op: 'IS_NULL' } } },
  'is not null': { where: { unaryFilter: { field: v, op: 'IS_NOT_NULL' } } },
  'is NaN': { where: { unaryFilter: { field: v, op: 'IS_NAN' } } },
  'is not NaN': { where: { unaryFilter: { field: v, op: 'IS_NOT_NAN' } } },
  'by name, equal': { where: field('EQUAL', reference('e_x'), name) },
  'by name, in': { where: field('IN', { arrayValue: { values: [reference('e_x'), reference('none')] } }, name) },
  'by name, greater': { where: field('GREATER_THAN', reference('i_list'), name) },
  'by name, text': { where: field('EQUAL', { stringValue: 'e_x' }, name) },
  'by name, another collection': { where: field('EQUAL', { referenceValue: nameOf('other/a') }, name) },
  'and': { where: and(field('GREATER_THAN', one), field('LESS_THAN', { integerValue: '3' })) },
  'and of two fields': { where: and(field('GREATER_THAN', one), field('LESS_THAN', { integerValue: '3' }, { fieldPath: 'n' })) },
  'or': { where: or(field('EQUAL', one), field('EQUAL', { stringValue: 'x' })) },
  'or of the same': { where: or(field('EQUAL', one), field('GREATER_THAN', { integerValue: '0' })) },
  'and of one': { where: and(field('EQUAL', one)) },
  'unknown operator': { where: field('LIKE', one) },
  'unknown kind of filter': { where: { other: {} } },
  'a filter without a field': { where: { fieldFilter: { op: 'EQUAL', value: one } } },
  'a filter without a value': { where: { fieldFilter: { field: v, op: 'EQUAL' } } },
  'a broken field path': { where: field('EQUAL', one, { fieldPath: 'a..b' }) },
  'two inequalities in an or': { where: or(field('LESS_THAN', { integerValue: '0' }), field('GREATER_THAN', { stringValue: '' })) },
  'inequality, ordered by another field': { where: field('GREATER_THAN', one), orderBy: [{ field: { fieldPath: 'n' } }] },
  'select nothing': { select: { fields: [name] }, limit: 1 },
  'two collections': { from: [{ collectionId: 'queried' }, { collectionId: 'other' }] },
  'all descendants': { from: [{ collectionId: 'nested', allDescendants: true }] },
  'a missing collection': { from: [{ collectionId: 'unused' }] },
};

export const QUERY_GROUPS: readonly Group[] = [
  { name: 'query', questions: Object.entries(QUERIES).map(([label, query]): Question => [label, (target) => idsOf(target, query)]) },
  ...OPERATORS.map((op): Group => ({
    name: `query: ${op}`,
    questions: Object.entries(STORED).map(([label, value]): Question => [label, (target) => idsOf(target, { where: field(op, value) })]),
  })),
  ...LIST_OPERATORS.map((op): Group => ({
    name: `query: ${op}`,
    questions: [
      ['no list', (target) => idsOf(target, { where: field(op, one) })] as const,
      ...Object.entries(LISTS).map(([label, list]): Question => [label, (target) => idsOf(target, { where: field(op, { arrayValue: list }) })]),
    ],
  })),
  {
    name: 'aggregation',
    questions: Object.entries(aggregations()).map(([label, request]): Question => [
      label,
      async (target) => {
        const { status, body } = await post(target, 'runAggregationQuery', { structuredAggregationQuery: request }, 'owner');
        const [row]: readonly { result?: { aggregateFields?: object } }[] = Array.isArray(body) ? body : [];
        return status === '200' ? JSON.stringify(row?.result?.aggregateFields) : status;
      },
    ]),
  },
];

function aggregations(): Record<string, object> {
  const of = (where: object | undefined, ...list: readonly object[]) => ({
    structuredQuery: { from: [{ collectionId: 'queried' }], ...(where && { where }) },
    aggregations: list,
  });
  const count = { alias: 'count', count: {} };
  const sum = (path: string) => ({ alias: `sum ${path}`, sum: { field: { fieldPath: path } } });
  const average = (path: string) => ({ alias: `avg ${path}`, avg: { field: { fieldPath: path } } });
  const numbers = field('GREATER_THAN', { integerValue: '0' });
  return {
    count: of(undefined, count),
    'count of some': of(numbers, count),
    'count up to 3': of(undefined, { count: { upTo: '3' } }),
    'count up to 0': of(undefined, { count: { upTo: '0' } }),
    'sum with NaN': of(undefined, sum('v')),
    'sum of numbers': of(numbers, sum('v'), average('v'), count),
    'sum of integers': of(undefined, sum('n'), average('n')),
    'sum that overflows': of(undefined, sum('big')),
    'sum of a field that some lack': of(undefined, sum('n'), count),
    'sums of two fields': of(undefined, sum('n'), sum('big'), count),
    'sum of texts': of(field('GREATER_THAN', { stringValue: '' }), sum('v'), average('v')),
    'sum of a field that none has': of(undefined, sum('none'), average('none'), count),
    'no alias': of(undefined, { count: {} }, { sum: { field: { fieldPath: 'n' } } }),
    'an alias twice': of(undefined, count, count),
    none: of(undefined),
    'unknown aggregation': of(undefined, { alias: 'a', max: {} }),
  };
}

/** The ids of the documents that a query returns. */
async function idsOf(target: Target, query: object): Promise<string> {
  await stored(target);
  const { status, body } = await post(target, 'runQuery', { structuredQuery: { from: [{ collectionId: 'queried' }], ...query } }, 'owner');
  if (status !== '200' || !Array.isArray(body)) return status;
  const found = body.flatMap((row: { document?: { name: string } }) => row.document?.name.split('/').at(-1) ?? []);
  return differenceOf(found);
}

/** Long results are written as what they lack, if they are in the order of the values. */
function differenceOf(found: readonly string[]): string {
  const all = Object.keys(STORED);
  const lacks = all.filter((id) => !found.includes(id));
  const inOrder = all.filter((id) => found.includes(id)).join() === found.join();
  return inOrder && lacks.length < found.length ? `all but ${lacks.join(' ')}` : found.join(' ') || 'none';
}

const written = new WeakMap<Target, Promise<Answer>>();
function stored(target: Target): Promise<Answer> {
  const before = written.get(target);
  if (before !== undefined) return before;
  const documents = Object.entries(STORED).map(([id, value], place) => ({
    update: { name: nameOf(`queried/${id}`), fields: { v: value, ...(place % 2 === 0 && { n: { integerValue: String(place) } }), ...(place > 15 && { big: { integerValue: '9223372036854775807' } }) } },
  }));
  const nested = ['queried/a_null/nested/x', 'nested/y'].map((path) => ({ update: { name: nameOf(path), fields: {} } }));
  const answer = commit(target, 'owner', ...documents, ...nested);
  written.set(target, answer);
  return answer;
}
