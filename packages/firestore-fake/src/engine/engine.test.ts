import { expect, test } from 'vitest';
import { createNames } from '../data/names.ts';
import { Engine } from './engine.ts';
import { OWNER } from './guard.ts';
import { readWrite } from './write.ts';

const names = createNames('p');

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

function update(path: string): object {
  return { update: { name: names.full(path), fields: {} } };
}

test('a transaction aborted by a deadlock has ended, and its locks are released', async () => {
  const engine = newEngine();
  const [one, two] = [engine.begin(false), engine.begin(false)];
  await engine.get(['a/1'], { kind: 'in', id: one }, OWNER);
  await engine.get(['a/2'], { kind: 'in', id: two }, OWNER);
  const waiting = engine.get(['a/2'], { kind: 'in', id: one }, OWNER);
  await expect(engine.get(['a/1'], { kind: 'in', id: two }, OWNER)).rejects.toMatchObject({ status: 'ABORTED' });
  await waiting;
  await commit(engine, [update('a/1')], one);
  await expect(commit(engine, [], two)).rejects.toThrow('no longer valid');
});
