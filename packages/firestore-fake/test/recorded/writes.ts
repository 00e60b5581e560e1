import {
  commit,
  fresh,
  type Group,
  nameDocument,
  plain,
  post,
  type Question,
  read,
  splitList,
  storedFields,
  type Target,
  wrapRules,
} from './target.ts';

const ONE = { n: { integerValue: '1' } };
const update = (path: string, fields: object = ONE, more: object = {}) => ({
  update: { name: nameDocument(path), fields },
  ...more,
});
const increment = { updateMask: {}, updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '5' } }] };

const WRITES: Record<string, (path: string) => object> = {
  update: (path) => update(path),
  masked: (path) => update(path, { a: ONE.n }, { updateMask: { fieldPaths: ['a', 'b.c'] } }),
  transform: (path) => update(path, {}, increment),
  'empty mask': (path) => update(path, {}, { updateMask: {} }),
  delete: (path) => ({ delete: nameDocument(path) }),
  verify: (path) => ({ verify: nameDocument(path) }),
};
const PRECONDITIONS = {
  '': undefined,
  'if it exists': { exists: true },
  'if it is missing': { exists: false },
  'if it is old': { updateTime: '2001-01-01T00:00:00Z' },
};

/** Writes of each kind to a missing and an existing document, with each precondition and each rule method. */
const preconditions = ['by the owner', 'create', 'update', 'delete', 'get'].map(
  (method): Group => ({
    name: `write: ${method === 'by the owner' ? method : `if the rules allow ${method} only`}`,
    rules: wrapRules(`match /{all=**} { allow ${method === 'by the owner' ? 'get' : method}; }`),
    questions: Object.entries(WRITES).flatMap(([kind, write]) =>
      ['missing', 'existing'].flatMap((state) =>
        Object.entries(PRECONDITIONS).map(
          ([condition, currentDocument]): Question => [
            `${state}, ${kind} ${condition}`.trim(),
            async (target) => {
              const path = fresh('writes');
              if (state === 'existing') await commit(target, 'owner', update(path));
              const caller = method === 'by the owner' ? 'owner' : undefined;
              const { status, body } = await commit(target, caller, { ...write(path), currentDocument });
              const { writeResults }: { writeResults?: unknown } = Object(body);
              return status === '200' ? `${plain(writeResults)} ${await storedFields(target, path)}` : status;
            },
          ],
        ),
      ),
    ),
  }),
);

const VALUES: Record<string, object | undefined> = {
  missing: undefined,
  null: { nullValue: null },
  1: { integerValue: '1' },
  '1.5': { doubleValue: 1.5 },
  max: { integerValue: '9223372036854775807' },
  min: { integerValue: '-9223372036854775808' },
  NaN: { doubleValue: 'NaN' },
  text: { stringValue: 'x' },
  list: { arrayValue: { values: [{ integerValue: '1' }, { integerValue: '1' }, { stringValue: 'a' }] } },
};
const LISTS = {
  '[]': {},
  '[1.0, a]': { values: [{ doubleValue: 1 }, { stringValue: 'a' }] },
  '[b, b]': { values: [{ stringValue: 'b' }, { stringValue: 'b' }] },
  '[NaN, null]': { values: [{ doubleValue: 'NaN' }, { nullValue: null }] },
};
const NUMBERS = {
  1: { integerValue: '1' },
  '1.0': { doubleValue: 1 },
  '-2.5': { doubleValue: -2.5 },
  NaN: { doubleValue: 'NaN' },
  text: { stringValue: 'x' },
};
const transforms = [
  ...product(['increment', 'maximum', 'minimum'], NUMBERS),
  ...product(['appendMissingElements', 'removeAllFromArray'], LISTS),
  ...product(['setToServerValue'], { REQUEST_TIME: 'REQUEST_TIME', NOTHING: 'SERVER_VALUE_UNSPECIFIED' }),
].map(
  ([label, transform]): Group => ({
    name: `transform: ${label}`,
    questions: Object.entries(VALUES).map(
      ([before, v]): Question => [
        before,
        async (target) => {
          const path = fresh('transforms');
          await commit(target, 'owner', update(path, v === undefined ? {} : { v }));
          const write = update(path, {}, { updateMask: {}, updateTransforms: [{ fieldPath: 'v', ...transform }] });
          const { status, body } = await commit(target, 'owner', write);
          const { writeResults }: { writeResults?: unknown } = Object(body);
          if (status !== '200') return status;
          return `${plain(writeResults).replace(/"updateTime":"TIME",?/, '')} ${await storedFields(target, path)}`;
        },
      ],
    ),
  }),
);

function product(kinds: readonly string[], operands: object): readonly (readonly [string, object])[] {
  return kinds.flatMap((kind) =>
    Object.entries(operands).map(([label, operand]) => [`${kind} ${label}`, { [kind]: operand }] as const),
  );
}

/** Names that Firestore reserves, limits or could misread. */
const IDS: Record<string, string> = {
  ...Object.fromEntries(
    splitList(
      'a ¦ . ¦ .. ¦ ... ¦ __a__ ¦ __ ¦ ___ ¦ ____ ¦ _____ ¦ ________ ¦ __a ¦ a__ ¦ __id7__ ¦ __id-7__ ¦ __id__ ¦ __id07__ ¦ __id99999999999999999999__ ¦ a/b ¦ a/b/c ¦ 😀 ¦ ` ¦ %2F ¦ a:b ¦ *',
    ).map((id) => [id, id]),
  ),
  empty: '',
  'with a line break': '__a\nb__',
  'with NUL': 'a\u0000b',
};
const LONG = { '1500 bytes': 'é'.repeat(750), '1501 bytes': 'a'.repeat(1501), '1500 characters': 'é'.repeat(1500) };

const write = async (target: Target, path: string, fields?: object, more?: object) =>
  (await commit(target, 'owner', update(path, fields, more))).status;
const query = async (target: Target, structuredQuery: object) =>
  (await post(target, 'runQuery', { structuredQuery }, 'owner')).status;
const named = (id: string) => ({ referenceValue: nameDocument(`ids/${id}`) });

const USES: Record<string, (target: Target, id: string) => Promise<string>> = {
  'as a document': (target, id) => write(target, `ids/${id}`),
  'as a collection': (target, id) => write(target, `${id}/a`),
  'as a reference': (target, id) => write(target, fresh('writes'), { r: named(id) }),
  'as a field': (target, id) => write(target, fresh('writes'), { [id]: { nullValue: null } }),
  'as a document that is deleted': async (target, id) =>
    (await commit(target, 'owner', { delete: nameDocument(`ids/${id}`) })).status,
  'as a document that is read': (target, id) => read(target, `unused/${id}`, 'owner'),
  'as a collection that is queried': (target, id) => query(target, { from: [{ collectionId: id || 'a' }], limit: 1 }),
  'as a name in a filter': (target, id) => {
    const fieldFilter = { field: { fieldPath: '__name__' }, op: 'EQUAL', value: named(id) };
    return query(target, { from: [{ collectionId: 'ids' }], where: { fieldFilter }, limit: 1 });
  },
  'as a field of a map': (target, id) =>
    write(target, fresh('writes'), { m: { mapValue: { fields: { [id]: { nullValue: null } } } } }),
  'in a mask': (target, id) => write(target, fresh('writes'), {}, { updateMask: { fieldPaths: [id] } }),
  'quoted in a mask': (target, id) => write(target, fresh('writes'), {}, { updateMask: { fieldPaths: [`\`${id}\``] } }),
};
const ids = Object.entries(USES).map(
  ([use, ask], place): Group => ({
    name: `id: ${use}`,
    // Where else an id is too long depends on what surrounds it.
    questions: Object.entries({ ...IDS, ...(place < 4 && LONG) }).map(
      ([label, id]): Question => [label, (target) => ask(target, id)],
    ),
  }),
);

const surrogates: Group = {
  name: 'text: lone surrogates',
  questions: ['a\ud83d', '\ude00a', '\ude00\ud83d'].map(
    (text): Question => [
      JSON.stringify(text),
      async (target) => {
        const path = fresh('writes');
        return `${await write(target, path, { t: { stringValue: text } })} ${await storedFields(target, path)}`;
      },
    ],
  ),
};

export const WRITE_GROUPS: readonly Group[] = [...preconditions, ...transforms, ...ids, surrogates];
