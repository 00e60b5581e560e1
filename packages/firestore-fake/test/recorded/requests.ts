import { readFileSync } from 'node:fs';
import { STORED } from './stored.ts';
import {
  commit,
  type Group,
  nameDocument,
  plain,
  post,
  type Question,
  ROOT,
  storedFields,
  type Target,
  wrapRules,
} from './target.ts';

/** The requests of `requests.tsv`: what is asked, a label and JSON. */
const REQUESTS = readFileSync(new URL('./requests.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

const LIST_OPERATORS = ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'];
const OPERATORS = ['EQUAL', 'NOT_EQUAL', 'LESS_THAN', 'GREATER_THAN_OR_EQUAL', 'ARRAY_CONTAINS'];
const numbers = (length: number) => ({ values: Array.from({ length }, (_, n) => ({ integerValue: `${n}` })) });
const LISTS: Record<string, object> = {
  '[]': {},
  '[1]': { values: [{ integerValue: '1' }] },
  '[x, 2.5]': { values: [{ stringValue: 'x' }, { doubleValue: 2.5 }] },
  '[1, null]': { values: [{ integerValue: '1' }, { nullValue: null }] },
  '[NaN]': { values: [{ doubleValue: 'NaN' }] },
  ...Object.fromEntries([10, 11, 30, 31].map((length) => [`${length} values`, numbers(length)])),
};

const ASK: Record<string, (target: Target, request: unknown, path: string) => Promise<string>> = {
  async value(target, v, path) {
    const { status } = await commit(target, 'owner', { update: { name: nameDocument(path), fields: { v } } });
    return status === '200' ? (await storedFields(target, path)).slice(0, 99) : status;
  },
  async commit(target, request, path) {
    const { status } = await post(target, 'commit', request, 'owner');
    return status === '200' ? (await storedFields(target, path)).slice(0, 60) : status;
  },
  async 'anonymous commit'(target, request, path) {
    const { status } = await post(target, 'commit', request);
    return status === '200' ? (await storedFields(target, path)).slice(0, 60) : status;
  },
  query: (target, query) => queryIds(target, query),
  async aggregation(target, request) {
    await store(target);
    const { where, aggregations }: { where?: unknown; aggregations?: unknown } = Object(request);
    const structuredQuery = { from: [{ collectionId: 'queried' }], where };
    const { status, body } = await post(
      target,
      'runAggregationQuery',
      { structuredAggregationQuery: { structuredQuery, aggregations } },
      'owner',
    );
    return status === '200' ? plain(body).replaceAll(/,"(readTime":"TIME"|done":true)/g, '') : status;
  },
};

export const REQUEST_GROUPS: readonly Group[] = [
  ...Object.entries(ASK).map(
    ([kind, ask]): Group => ({
      name: `request: ${kind}`,
      rules: wrapRules('match /{all=**} { allow create; }'),
      questions: REQUESTS.filter(([of = '']) => kind.endsWith(of)).map(
        ([, label = '', json = ''], place): Question => [
          label,
          (target) => {
            const path = `requests/${kind.replace(' ', '-')}-${place}`;
            return ask(target, parse(json, path), path);
          },
        ],
      ),
    }),
  ),
  ...OPERATORS.map((op) => filtered(op, STORED)),
  ...LIST_OPERATORS.map((op) =>
    filtered(op, {
      'no list': { integerValue: '1' },
      ...Object.fromEntries(Object.entries(LISTS).map(([label, arrayValue]) => [label, { arrayValue }])),
    }),
  ),
];

function filtered(op: string, values: Readonly<Record<string, object>>): Group {
  return {
    name: `query: ${op}`,
    questions: Object.entries(values).map(
      ([label, value]): Question => [
        label,
        (target) => queryIds(target, { where: { fieldFilter: { field: { fieldPath: 'v' }, op, value } } }),
      ],
    ),
  };
}

/** Reads JSON with `$DOC` for the name of a document, `$x9` for nine letters, `$maps9` for nine maps, and `$repeat` for a long list. */
function parse(json: string, path: string): unknown {
  const named = json.replaceAll('$ROOT', ROOT).replaceAll('$DOC', nameDocument(path));
  return JSON.parse(named, (_, value: unknown) => {
    if (typeof value === 'string') {
      const [, kind, count] = /^\$(x|maps)(\d+)$/.exec(value) ?? [];
      return kind === undefined ? value : kind === 'x' ? 'x'.repeat(Number(count)) : maps(Number(count));
    }
    const { $repeat }: { $repeat?: readonly [number, unknown] } = Object(value);
    return $repeat === undefined ? value : Array.from({ length: $repeat[0] }, () => $repeat[1]);
  });
}

function maps(depth: number): object {
  return depth === 0 ? { integerValue: '1' } : { mapValue: { fields: { m: maps(depth - 1) } } };
}

/** The ids of the documents that a query returns. */
async function queryIds(target: Target, query: unknown): Promise<string> {
  await store(target);
  const structuredQuery = { from: [{ collectionId: 'queried' }], ...Object(query) };
  const { status, body } = await post(target, 'runQuery', { structuredQuery }, 'owner');
  if (status !== '200' || !Array.isArray(body)) return status;
  const found = body.flatMap((row: { document?: { name: string } }) => row.document?.name.split('/').at(-1) ?? []);
  const all = Object.keys(STORED);
  const lacks = all.filter((id) => !found.includes(id));
  const inOrder = all.filter((id) => found.includes(id)).join() === found.join();
  return inOrder && lacks.length < found.length ? `all but ${lacks.join(' ')}` : found.join(' ') || 'none';
}

const stores = new WeakMap<Target, Promise<unknown>>();

/** Stores the documents of the queries, once for each engine. */
function store(target: Target): Promise<unknown> {
  const documents = Object.entries(STORED).map(([id, v], place) => ({
    update: {
      name: nameDocument(`queried/${id}`),
      fields: {
        v,
        ...(place % 2 === 0 && { n: { integerValue: String(place) } }),
        ...(place > 15 && { big: { integerValue: '9223372036854775807' } }),
      },
    },
  }));
  const nested = ['queried/a_null/nested/x', 'nested/y'].map((path) => ({
    update: { name: nameDocument(path), fields: {} },
  }));
  const stored = stores.get(target) ?? commit(target, 'owner', ...documents, ...nested);
  stores.set(target, stored);
  return stored;
}
