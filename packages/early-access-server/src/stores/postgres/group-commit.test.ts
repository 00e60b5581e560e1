import { StorageError } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { finishedStep, type Transaction } from '../sql/statement.ts';
import { unavailable } from './failures.ts';
import { groupCommit } from './group-commit.ts';

/** Runs a transaction without statements. */
function finish<T>(transaction: Transaction<T>): T {
  const step = transaction.next();
  if (!step.done) throw new TypeError('a statement was not expected');
  return step.value;
}

/** A group commit whose transactions store texts in `stored`, and note how many each tried to store. */
function harness() {
  const stored: string[] = [];
  const transactions: number[] = [];
  const fault: { error: Error | null } = { error: null };
  let writing: string[] = [];
  const commits = groupCommit(async (work) => {
    writing = [];
    const turn = transactions.push(0) - 1;
    try {
      const result = finish(work());
      if (fault.error !== null) throw fault.error;
      stored.push(...writing);
      return result;
    } finally {
      transactions[turn] = writing.length;
    }
  });
  const store = (text: string) => {
    if (text === 'bad') throw new StorageError('invalid', 'no');
    writing.push(text);
    return text.toUpperCase();
  };
  const batches: number[] = [];
  const add = commits.batch(function* (texts: readonly string[]) {
    batches.push(texts.length);
    return yield* finishedStep(texts.map(store));
  });
  return {
    commits,
    stored,
    transactions,
    batches,
    fault,
    add,
    run: (text: string) =>
      commits.run(function* () {
        return yield* finishedStep(store(text));
      }),
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);

async function outcomes(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code));
}

describe('groupCommit of Postgres', () => {
  it('stores in one transaction what waits at the same moment, in its order, and returns each result', async () => {
    const { add, run, stored, transactions, batches } = harness();
    expect(await Promise.all([run('a'), add('b'), run('c'), add('d')])).toEqual(['A', 'B', 'C', 'D']);
    expect([stored, transactions, batches]).toEqual([['a', 'b', 'd', 'c'], [4], [2]]);
    await run('e');
    expect(transactions).toEqual([4, 1]);
  });

  it('gives a batch 256 items at most, and a transaction 64 writes', async () => {
    const { add, run, stored, transactions, batches } = harness();
    await Promise.all(numbered(600).map(add));
    expect([batches, stored]).toEqual([[256, 256, 88], numbered(600)]);
    transactions.length = 0;
    await Promise.all(numbered(130).map(run));
    expect(transactions).toEqual([64, 64, 2]);
  });

  it('lets only that write fail that cannot be stored', async () => {
    const { add, run, stored, transactions } = harness();
    const failing = [add('a'), add('bad'), run('b'), run('bad'), add('c')];
    expect(await outcomes(failing)).toEqual(['A', 'invalid', 'B', 'invalid', 'C']);
    expect(stored.toSorted()).toEqual(['a', 'b', 'c']);
    transactions.length = 0;
    expect(await outcomes([run('bad')])).toEqual(['invalid']);
    expect(transactions).toEqual([0]);
  });

  it('rejects everything that waits during an outage, without trying it one by one, and continues afterwards', async () => {
    const { add, run, stored, transactions, fault, commits } = harness();
    fault.error = unavailable();
    const waiting = [...numbered(300).map(add), ...numbered(100).map(run)];
    expect(await outcomes(waiting)).toEqual(Array(400).fill('unavailable'));
    expect(transactions).toHaveLength(1);
    await commits.idle();
    fault.error = null;
    expect(await outcomes([run('a'), add('b')])).toEqual(['A', 'B']);
    expect(stored).toEqual(['a', 'b']);
  });

  it('continues with the waiting writes after a write that cannot be stored', async () => {
    const { run, commits } = harness();
    let later = Promise.resolve('nothing');
    const failing = commits.run(function* () {
      later = yield* finishedStep(run('later'));
      throw new StorageError('invalid', 'no');
    });
    expect([await outcomes([failing]), await later]).toEqual([['invalid'], 'LATER']);
  });

  it('rejects each write with `unavailable` if the database fails for another reason', async () => {
    const { run, transactions, fault } = harness();
    fault.error = new Error('a constraint');
    expect(await outcomes([run('a'), run('b')])).toEqual(['unavailable', 'unavailable']);
    expect(transactions).toEqual([2, 1, 1]);
  });

  it('rejects writes while 8,192 are waiting, and no longer', async () => {
    const { add } = harness();
    const accepted = outcomes(numbered(8_192).map(add));
    await expect(add('late')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('too many writes are waiting'),
      retryAfter: 1,
    });
    expect(await accepted).not.toContain('unavailable');
    expect(await outcomes(numbered(8_192).map(add))).not.toContain('unavailable');
  });

  it('is idle once everything is stored', async () => {
    const { add, run, stored, commits } = harness();
    await commits.idle();
    const all = [...numbered(600).map(add), ...numbered(70).map(run)];
    await commits.idle();
    expect(stored).toHaveLength(670);
    await Promise.all(all);
  });
});
