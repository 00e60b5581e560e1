import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wireDocument } from '../data/document.ts';
import { namesOf } from '../data/names.ts';
import type { Value } from '../data/value.ts';
import { anyFields } from '../data/value-arbitrary.ts';
import { Engine } from './engine.ts';
import { OWNER } from './guard.ts';
import { readWrite } from './write.ts';

const names = namesOf('p');
const NONE = { kind: 'none' } as const;

function newEngine(): Engine {
  return new Engine({ names, now: () => 1_700_000_000_000, lockTimeoutMs: 60_000 });
}

function commit(engine: Engine, writes: readonly object[], transaction?: string) {
  return engine.commit(
    writes.map((write) => readWrite(write, 'write', names)),
    transaction,
    OWNER,
  );
}

function fieldsOf(engine: Engine, path: string): unknown {
  const document = engine.documents.get(path);
  return document === undefined ? undefined : (wireDocument(document, names).fields ?? {});
}

function update(path: string, fields: object, more: object = {}): object {
  return { update: { name: names.full(path), fields }, ...more };
}

const path = fc.constantFrom('a/1', 'a/2', 'b/1');
const anyWrite = fc.oneof(
  fc.tuple(path, anyFields).map(([to, fields]) => update(to, fields)),
  path.map((to) => ({ delete: names.full(to) })),
);

test('a read returns what was written, for any values', async () => {
  await fc.assert(
    fc.asyncProperty(anyFields, async (fields) => {
      const engine = newEngine();
      await commit(engine, [update('a/1', fields)]);
      const { result } = await engine.get(['a/1'], NONE, OWNER);
      expect(result.get('a/1')?.fields).toEqual(fields);
    }),
  );
});

test('maximum gives the same record in any order and with repeated writes', async () => {
  const whole = fc.integer().map((number): Value => ({ integerValue: String(number) }));
  const broken = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number): Value => ({ doubleValue: number + 0.5 }));
  const updates = fc.array(fc.record({ n: whole, m: fc.oneof(whole, broken) }), { minLength: 1, maxLength: 8 });
  const apply = async (list: readonly { n: Value; m: Value }[]) => {
    const engine = newEngine();
    for (const { n, m } of list) {
      const updateTransforms = [
        { fieldPath: 'n', maximum: n },
        { fieldPath: 'deep.m', maximum: m },
      ];
      await commit(engine, [update('a/1', {}, { updateMask: {}, updateTransforms })]);
    }
    return engine.documents.get('a/1')?.fields;
  };
  await fc.assert(
    fc.asyncProperty(
      updates.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length })),
      ),
      async ([list, shuffled]) => {
        const inOrder = await apply(list);
        const numbers = list.map(({ n }) => ('integerValue' in n ? Number(n.integerValue) : 0));
        expect(inOrder?.n).toEqual({ integerValue: String(Math.max(...numbers)) });
        expect(await apply(shuffled)).toEqual(inOrder);
      },
    ),
  );
});

test('a commit changes nothing if one of its writes fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite), fc.array(anyWrite), fc.nat(), async (before, writes, at) => {
      const engine = newEngine();
      await commit(engine, before);
      const unchanged = [...engine.documents.list()];
      const failing = update('z/none', {}, { currentDocument: { exists: true } });
      const mixed = writes.toSpliced(at % (writes.length + 1), 0, failing);
      await expect(commit(engine, mixed)).rejects.toMatchObject({ status: 'NOT_FOUND' });
      expect([...engine.documents.list()]).toEqual(unchanged);
    }),
  );
});

test('a read-only transaction refuses writes, and a transaction cannot commit twice', async () => {
  const engine = newEngine();
  await expect(commit(engine, [update('a/1', {})], engine.begin(true))).rejects.toThrow('read-only');
  const id = engine.begin(false);
  await commit(engine, [update('a/1', {})], id);
  await expect(commit(engine, [], id)).rejects.toThrow('no longer valid');
});

test('a transaction aborted by a deadlock has ended, and its locks are released', async () => {
  const engine = newEngine();
  const [one, two] = [engine.begin(false), engine.begin(false)];
  await engine.get(['a/1'], { kind: 'in', id: one }, OWNER);
  await engine.get(['a/2'], { kind: 'in', id: two }, OWNER);
  const waiting = engine.get(['a/2'], { kind: 'in', id: one }, OWNER);
  await expect(engine.get(['a/1'], { kind: 'in', id: two }, OWNER)).rejects.toMatchObject({ status: 'ABORTED' });
  await waiting;
  await commit(engine, [update('a/1', {})], one);
  await expect(commit(engine, [], two)).rejects.toThrow('no longer valid');
});
