import { commit, type Group, nameOf, post, type Question, read, type Target } from './target.ts';

const ONE = { n: { integerValue: '1' } };
const LONG_AGO = '2001-01-01T00:00:00Z';

let documents = 0;
/** The path of a document that no other question uses. */
function fresh(collection = 'writes'): string {
  documents += 1;
  return `${collection}/d${documents}`;
}

/** The fields of a document as JSON without types, or that it is missing. */
async function stored(target: Target, path: string): Promise<string> {
  const { body } = await post(target, 'batchGet', { documents: [nameOf(path)] }, 'owner');
  const [row]: readonly { found?: { fields?: object } }[] = Array.isArray(body) ? body : [];
  return row?.found === undefined ? 'missing' : plain(row.found.fields ?? {});
}

/** The content of values, for lines that stay short. */
function plain(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/\{"(?:integer|double|string|boolean|null|timestamp|reference|bytes|geoPoint)Value":("[^"]*"|[^{}]*|\{[^{}]*\})\}/g, '$1')
    .replaceAll(/"(?:array|map)Value":/g, '')
    .replaceAll('"-0"', '0')
    .replaceAll(/\d{4}-\d\d-\d\dT[^"]*Z/g, 'TIME');
}

const update = (path: string, fields: object = ONE, more: object = {}) => ({ update: { name: nameOf(path), fields }, ...more });

// Writes of every kind to a document that exists or not, with every precondition.

const WRITES: Record<string, (path: string) => object> = {
  update: (path) => update(path),
  'update with a mask': (path) => update(path, { a: { integerValue: '2' } }, { updateMask: { fieldPaths: ['a', 'b.c'] } }),
  'transform only': (path) => update(path, {}, { updateMask: {}, updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '5' } }] }),
  'empty mask': (path) => update(path, {}, { updateMask: {} }),
  delete: (path) => ({ delete: nameOf(path) }),
  verify: (path) => ({ verify: nameOf(path) }),
};
const PRECONDITIONS = { none: undefined, exists: { exists: true }, 'is missing': { exists: false }, 'wrong time': { updateTime: LONG_AGO } };

const preconditions = Object.entries(WRITES).map(([kind, write]): Group => ({
  name: `write: ${kind}`,
  questions: ['missing', 'existing'].flatMap((state) =>
    Object.entries(PRECONDITIONS).map(([condition, currentDocument]): Question => [
      `${state}, ${condition}`,
      async (target) => {
        const path = fresh();
        if (state === 'existing') await commit(target, 'owner', update(path));
        const { status, body } = await commit(target, 'owner', { ...write(path), ...(currentDocument && { currentDocument }) });
        const results = typeof body === 'object' && body !== null && 'writeResults' in body ? plain(body.writeResults) : '';
        return status === '200' ? `${results} ${await stored(target, path)}` : status;
      },
    ]),
  ),
}));

// Whether the rules or the precondition decides first.

const METHODS = ['create', 'update', 'delete', 'read'];
const order: Group[] = METHODS.flatMap((method) => [{
  name: `rules: only ${method} is allowed`,
  rules: `rules_version = '2'; service cloud.firestore { match /databases/{d}/documents/{all=**} { allow ${method}; } }`,
  questions: Object.entries(WRITES).flatMap(([kind, write]) => ['missing', 'existing'].flatMap((state) =>
    Object.entries(PRECONDITIONS).map(([condition, currentDocument]): Question => [
      `${kind} ${state}, ${condition}`,
      async (target) => {
        const path = fresh();
        if (state === 'existing') await commit(target, 'owner', update(path));
        const { status } = await commit(target, undefined, { ...write(path), ...(currentDocument && { currentDocument }) });
        return status;
      },
    ]))),
}]);

// Transforms.

const STORED: Record<string, object | undefined> = {
  missing: undefined, null: { nullValue: null }, 1: { integerValue: '1' }, '1.0': { doubleValue: 1 }, '1.5': { doubleValue: 1.5 }, max: { integerValue: '9223372036854775807' }, min: { integerValue: '-9223372036854775808' },
  NaN: { doubleValue: 'NaN' }, text: { stringValue: 'x' }, list: { arrayValue: { values: [{ integerValue: '1' }, { integerValue: '1' }, { stringValue: 'a' }] } }, map: { mapValue: {} },
};
const NUMBERS = { '0': { integerValue: '0' }, '1': { integerValue: '1' }, '1.0': { doubleValue: 1 }, '2.5': { doubleValue: 2.5 }, '-9': { integerValue: '-9' }, NaN: { doubleValue: 'NaN' }, '0.0': { doubleValue: 0 }, text: { stringValue: 'x' } };
const LISTS = { '[]': {}, '[1]': { values: [{ integerValue: '1' }] }, '[1.0, a]': { values: [{ doubleValue: 1 }, { stringValue: 'a' }] }, '[b, b]': { values: [{ stringValue: 'b' }, { stringValue: 'b' }] }, '[NaN, null]': { values: [{ doubleValue: 'NaN' }, { nullValue: null }] } };
const TRANSFORMS = [
  ...['increment', 'maximum', 'minimum'].flatMap((kind) => Object.entries(NUMBERS).map(([label, operand]) => [`${kind} ${label}`, { [kind]: operand }] as const)),
  ...['appendMissingElements', 'removeAllFromArray'].flatMap((kind) => Object.entries(LISTS).map(([label, operand]) => [`${kind} ${label}`, { [kind]: operand }] as const)),
  ['time', { setToServerValue: 'REQUEST_TIME' }] as const,
  ['unknown server value', { setToServerValue: 'SERVER_VALUE_UNSPECIFIED' }] as const,
];
const transforms = TRANSFORMS.map(([label, transform]): Group => ({
  name: `transform: ${label}`,
  questions: Object.entries(STORED).map(([before, value]): Question => [
    before,
    async (target) => {
      const path = fresh();
      await commit(target, 'owner', update(path, value === undefined ? {} : { v: value }));
      const { status, body } = await commit(target, 'owner', update(path, {}, { updateMask: {}, updateTransforms: [{ fieldPath: 'v', ...transform }] }));
      const results: unknown = typeof body === 'object' && body !== null && 'writeResults' in body ? body.writeResults : [];
      return status === '200' ? `${plain(results).replaceAll(/"updateTime":"TIME",?/g, '')} ${await stored(target, path)}` : status;
    },
  ]),
}));

// Ids and names at their limits.

const IDS: Record<string, string> = {
  plain: 'a', empty: '', dot: '.', dots: '..', 'three dots': '...', '__a__': '__a__', ____: '____', ___: '___', '________': '________', __: '__', '__id7__': '__id7__', '__id-7__': '__id-7__', '__id__': '__id__', '__id07__': '__id07__', '__id99999999999999999999__': '__id99999999999999999999__', '__id1.5__': '__id1.5__', '__a': '__a', a__: 'a__', 'a slash': 'a/b', 'two slashes': 'a/b/c', 'line break': '__a\nb__', NUL: 'a\u0000b', space: ' ', emoji: '😀',  '1500 bytes': 'é'.repeat(750), '1501 bytes': 'a'.repeat(1501), '1500 characters': 'é'.repeat(1500), backtick: '`', percent: '%2F', colon: 'a:b', star: '*', tilde: '~',
};
const OPERATIONS: Record<string, (target: Target, id: string) => Promise<string>> = {
  'update of a document': async (target, id) => (await commit(target, 'owner', update(`ids/${id}`))).status,
  'update in a collection': async (target, id) => (await commit(target, 'owner', update(`${id}/a`))).status,
  'delete of a document': async (target, id) => (await commit(target, 'owner', { delete: nameOf(`ids/${id}`) })).status,
  'read of a document': async (target, id) => read(target, `unused/${id}`, 'owner'),
  'read in a collection': async (target, id) => read(target, `${id}/unused`, 'owner'),
  'query of a collection': async (target, id) => (await post(target, 'runQuery', { structuredQuery: { from: [{ collectionId: id }], limit: 1 } }, 'owner')).status,
  'anonymous update': async (target, id) => (await commit(target, undefined, update(`ids/${id}`))).status,
  'reference as a value': async (target, id) => { const path = fresh(); return `${(await commit(target, 'owner', update(path, { r: { referenceValue: nameOf(`ids/${id}`) } }))).status}`; },
  'filter by name': async (target, id) => (await post(target, 'runQuery', { structuredQuery: { from: [{ collectionId: 'ids' }], where: { fieldFilter: { field: { fieldPath: '__name__' }, op: 'EQUAL', value: { referenceValue: nameOf(`ids/${id}`) } } }, limit: 1 } }, 'owner')).status,
  'field of a document': async (target, id) => { const path = fresh(); return (await commit(target, 'owner', update(path, { [id]: { nullValue: null } }))).status; },
  'field of a map': async (target, id) => { const path = fresh(); return (await commit(target, 'owner', update(path, { m: { mapValue: { fields: { [id]: { nullValue: null } } } } }))).status; },
  'mask': async (target, id) => { const path = fresh(); return (await commit(target, 'owner', update(path, {}, { updateMask: { fieldPaths: [id] } }))).status; },
  'quoted mask': async (target, id) => { const path = fresh(); return (await commit(target, 'owner', update(path, {}, { updateMask: { fieldPaths: [`\`${id}\``] } }))).status; },
  text: async (target, id) => { const path = fresh(); return (await commit(target, 'owner', update(path, { t: { stringValue: id } }))).status; },
};
const ids = Object.entries(OPERATIONS).map(([name, operation]): Group => ({
  name: `id: ${name}`,
  rules: `rules_version = '2'; service cloud.firestore { match /databases/{d}/documents/{all=**} { allow write; } }`,
  // Google also reads and deletes under ids that are too long to be written, and counts the bytes of a field with those of its map.
    questions: Object.entries(IDS)
      .filter(([label]) => !label.startsWith('1') || /^(update|anonymous)/.test(name))
      .filter(([label]) => label !== 'empty' || name !== 'query of a collection')
      .map(([label, id]): Question => [label, (target) => operation(target, id)]),
}));

// Values as they are sent, and as they are returned.

const nested = (depth: number): object => (depth === 0 ? { integerValue: '1' } : { mapValue: { fields: { m: nested(depth - 1) } } });
const VALUES: Record<string, unknown> = {
  'no kind': {}, 'two kinds': { integerValue: '1', stringValue: 'a' }, 'unknown kind': { intValue: 1 }, 'not an object': 5, null: { nullValue: null }, NULL_VALUE: { nullValue: 'NULL_VALUE' }, 'null as text': { nullValue: 'x' },
  'int as number': { integerValue: 7 }, 'int with fraction': { integerValue: '1.5' }, 'int 1.0': { integerValue: 1.0 }, 'int too large': { integerValue: '9223372036854775808' }, 'largest int': { integerValue: '9223372036854775807' }, 'int with zeros': { integerValue: '007' }, 'int empty': { integerValue: '' }, 
  'double as text': { doubleValue: '1.5' }, 'double as 1e3': { doubleValue: '1e3' }, NaN: { doubleValue: 'NaN' }, Infinity: { doubleValue: 'Infinity' }, '-Infinity': { doubleValue: '-Infinity' }, '-0': { doubleValue: -0 }, "'-0'": { doubleValue: '-0' }, '1e308': { doubleValue: 1e308 }, '1e-320': { doubleValue: 1e-320 }, "'1e400'": { doubleValue: '1e400' }, 'double word': { doubleValue: 'x' },
  'bool as number': { booleanValue: 1 },
  'time with zone': { timestampValue: '2024-02-29T12:00:00.123456789+02:00' }, 'nanoseconds': { timestampValue: '2024-02-29T12:00:00.000000999Z' }, 'no such day': { timestampValue: '2023-02-30T00:00:00Z' }, 'day only': { timestampValue: '2024-02-29' }, 'no zone': { timestampValue: '2024-02-29T12:00:00' }, 'year 0': { timestampValue: '0000-01-01T00:00:00Z' }, 'year 1': { timestampValue: '0001-01-01T00:00:00Z' }, 'year 9999': { timestampValue: '9999-12-31T23:59:59.999999Z' }, 'year 10000': { timestampValue: '10000-01-01T00:00:00Z' }, 'hour 24': { timestampValue: '2024-01-01T24:00:00Z' }, 'lower case': { timestampValue: '2024-01-01t00:00:00z' },
  bytes: { bytesValue: 'AP8=' }, 'url-safe bytes': { bytesValue: '_-8=' }, 'broken bytes': { bytesValue: 'A*==' },
  reference: { referenceValue: nameOf('a/b') }, 'reference to a collection': { referenceValue: nameOf('a') }, 'reference to another project': { referenceValue: 'projects/p/databases/(default)/documents/a/b' }, 'reference to nothing': { referenceValue: 'a/b' },
  place: { geoPointValue: { latitude: 90, longitude: -180 } }, 'latitude 91': { geoPointValue: { latitude: 91, longitude: 0 } }, 'longitude NaN': { geoPointValue: { latitude: 1, longitude: 'NaN' } },
  'list in a list': { arrayValue: { values: [{ arrayValue: {} }] } }, 'list in a map in a list': { arrayValue: { values: [{ mapValue: { fields: { a: { arrayValue: {} } } } }] } }, 'list as list': { arrayValue: [] }, 'empty list': { arrayValue: { values: [] } }, 'empty map': { mapValue: { fields: {} } }, 'broken element': { arrayValue: { values: [5] } },
  '19 maps': nested(19), '20 maps': nested(20), '21 maps': nested(21), 'text of 1 MB': { stringValue: 'x'.repeat(1_048_487 - 100) }, 'text of 1,048,487 bytes': { stringValue: 'x'.repeat(1_048_487) }, 'text of 1,048,488 bytes': { stringValue: 'x'.repeat(1_048_488) }, 'text of 1,048,576 bytes': { stringValue: 'x'.repeat(1_048_576) },
};
const values: Group[] = [{
  name: 'value: what is stored',
  questions: Object.entries(VALUES).map(([label, value]): Question => [label, async (target) => {
    const path = fresh();
    const { status } = await commit(target, 'owner', { update: { name: nameOf(path), fields: { v: value } } });
    return status === '200' ? (await stored(target, path)).slice(0, 120) : status;
  }]),
}];

// Requests that are malformed or at a limit.

const REQUESTS: Record<string, (path: string) => object> = {
  'no writes': () => ({ writes: [] }), 'no body': () => ({}), 'unknown field': () => ({ surprise: 1 }), 'unknown field of a write': (path) => ({ writes: [{ ...update(path), surprise: 1 }] }), 'two operations': (path) => ({ writes: [{ ...update(path), delete: nameOf(path) }] }), 'no operation': () => ({ writes: [{}] }), 'mask of a delete': (path) => ({ writes: [{ delete: nameOf(path), updateMask: { fieldPaths: ['a'] } }] }), 'transforms of a delete': (path) => ({ writes: [{ delete: nameOf(path), updateTransforms: [{ fieldPath: 'a', increment: { integerValue: '1' } }] }] }),
  'a collection': () => ({ writes: [update('a')] }), 'the root': () => ({ writes: [update('')] }), 'no name': () => ({ writes: [{ update: { fields: {} } }] }), 'relative name': () => ({ writes: [{ delete: 'a/b' }] }),
  'mask twice': (path) => ({ writes: [update(path, ONE, { updateMask: { fieldPaths: ['n', 'n'] } })] }), 'mask within mask': (path) => ({ writes: [update(path, ONE, { updateMask: { fieldPaths: ['n', 'n.m'] } })] }), 'mask of an ignored field': (path) => ({ writes: [update(path, ONE, { updateMask: { fieldPaths: ['m'] } })] }),
  'two preconditions': (path) => ({ writes: [update(path, ONE, { currentDocument: { exists: true, updateTime: LONG_AGO } })] }), 'empty precondition': (path) => ({ writes: [update(path, ONE, { currentDocument: {} })] }), 'broken time': (path) => ({ writes: [update(path, ONE, { currentDocument: { updateTime: 'x' } })] }),
  'unknown transform': (path) => ({ writes: [update(path, ONE, { updateTransforms: [{ fieldPath: 'n', double: 1 }] })] }), 'transform without operation': (path) => ({ writes: [update(path, ONE, { updateTransforms: [{ fieldPath: 'n' }] })] }), 'two transforms of a field': (path) => ({ writes: [update(path, ONE, { updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }, { fieldPath: 'n', maximum: { integerValue: '9' } }] })] }), 'a transform in a masked field': (path) => ({ writes: [update(path, ONE, { updateMask: { fieldPaths: ['n'] }, updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }] })] }), 'transform within a transform': (path) => ({ writes: [update(path, ONE, { updateTransforms: [{ fieldPath: 'a', increment: { integerValue: '1' } }, { fieldPath: 'a.b', increment: { integerValue: '1' } }] })] }),
  'transform in a number': (path) => ({ writes: [update(path, ONE, { updateTransforms: [{ fieldPath: 'n.m', increment: { integerValue: '1' } }] })] }),
  'a document twice': (path) => ({ writes: [update(path), update(path, { m: { integerValue: '2' } })] }), 'create, then update': (path) => ({ writes: [update(path), update(path, ONE, { currentDocument: { exists: true } })] }), 'create and delete': (path) => ({ writes: [update(path), { delete: nameOf(path) }] }), 'delete, then create': (path) => ({ writes: [update(path), { delete: nameOf(path) }, update(path, ONE, { currentDocument: { exists: false } })] }), 'good and bad': (path) => ({ writes: [update(path), update(`${path}x`, ONE, { currentDocument: { exists: true } })] }),
  '500 writes': (path) => ({ writes: Array.from({ length: 500 }, () => ({ delete: nameOf(path) })) }), '501 writes': (path) => ({ writes: Array.from({ length: 501 }, () => ({ delete: nameOf(path) })) }), 
  'two large fields': (path) => ({ writes: [update(path, { a: { stringValue: 'x'.repeat(600_000) }, b: { stringValue: 'x'.repeat(600_000) } })] }), 'the largest document': (path) => ({ writes: [update(path, { a: { stringValue: 'x'.repeat(600_000) }, b: { stringValue: 'x'.repeat(1_048_576 - 600_000 - 150) } })] }),
  'unknown transaction': () => ({ writes: [], transaction: 'abcd' }), 'malformed transaction': () => ({ writes: [], transaction: '*' }), 'empty transaction': () => ({ writes: [], transaction: '' }), 'writes as an object': () => ({ writes: {} }), 'update time sent': (path) => ({ writes: [{ update: { name: nameOf(path), fields: ONE, createTime: LONG_AGO, updateTime: LONG_AGO } }] }),
};
const requests: Group[] = (['owner', undefined] as const).map((as) => ({
  name: `commit of ${as ?? 'an anonymous caller'}`,
  rules: `rules_version = '2'; service cloud.firestore { match /databases/{d}/documents/{all=**} { allow create; } }`,
  questions: Object.entries(REQUESTS).map(([label, body]): Question => [label, async (target) => {
    const path = fresh();
    const { status } = await post(target, 'commit', body(path), as);
    return status === '200' ? (await stored(target, path)).slice(0, 60) : status;
  }]),
}));

export const WRITE_GROUPS: readonly Group[] = [...preconditions, ...order, ...transforms, ...ids, ...values, ...requests];
