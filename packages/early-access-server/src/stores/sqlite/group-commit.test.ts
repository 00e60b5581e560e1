import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { isStorageError, StorageError } from 'early-access-kit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';

/** A database with one table, a group on it, a count of its commits and a second connection to look from outside. */
function harness(options?: GroupCommitOptions) {
  const file = join(tempFolder(), 'group.sqlite');
  const db = openDatabase(file);
  db.exec('CREATE TABLE kept (value TEXT NOT NULL UNIQUE)');
  const outside = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => {
    outside.close();
    db.close();
  });
  const commits = { count: 0 };
  db.setAuthorizer((action, operation) => {
    if (action === constants.SQLITE_TRANSACTION && operation === 'COMMIT') commits.count += 1;
    return constants.SQLITE_OK;
  });
  const insert = db.prepare('INSERT INTO kept VALUES (?)');
  const select = outside.prepare('SELECT value FROM kept ORDER BY value');
  return {
    db,
    outside,
    commits,
    group: groupCommit(db, options),
    keep: (value: string) => insert.run(value),
    /** What somebody else would find on the disk. */
    kept: () => select.all().map((row) => row.value),
  };
}

describe('groupCommit', () => {
  it('flushes to the disk at every commit', () => {
    const { db } = harness();
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });

  it('keeps what waits at the same moment in one commit', async () => {
    const { group, keep, kept, commits } = harness();
    await Promise.all(['a', 'b', 'c'].map((value) => group.run(() => keep(value))));
    expect(kept()).toEqual(['a', 'b', 'c']);
    expect(commits.count).toBe(1);
  });

  it('answers after the commit and not before', async () => {
    const { db, group, keep, kept } = harness();
    const events: string[] = [];
    db.setAuthorizer((action, operation) => {
      if (action === constants.SQLITE_TRANSACTION && operation === 'COMMIT') events.push('commit begins');
      return constants.SQLITE_OK;
    });
    const answers = ['a', 'b'].map(async (value) => {
      await group.run(() => {
        keep(value);
        events.push(`worked on ${value}, others see ${kept().length}`);
      });
      events.push(`answered ${value}, others see ${kept().length}`);
    });
    await Promise.all(answers);
    expect(events).toEqual([
      'worked on a, others see 0',
      'worked on b, others see 0',
      'commit begins',
      'answered a, others see 2',
      'answered b, others see 2',
    ]);
  });

  it('resolves only once the commit has succeeded, and rejects every member if it fails', async () => {
    const { db, group, keep, kept } = harness();
    // Checked by SQLite at the COMMIT itself.
    db.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
    `);
    const orphan = db.prepare('INSERT INTO children VALUES (7)');
    const results = await Promise.allSettled([
      group.run(() => keep('a')),
      group.run(() => orphan.run()),
      group.run(() => keep('b')),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 1 } });
    }
    expect(kept()).toEqual([]);
    await group.run(() => keep('c'));
    expect(kept()).toEqual(['c']);
  });

  it('tries a locked database once for all members, not once for each', async () => {
    const { db, outside, group, keep } = harness();
    db.exec('PRAGMA busy_timeout = 0');
    let begun = 0;
    db.setAuthorizer((action, operation) => {
      if (action === constants.SQLITE_TRANSACTION && operation === 'BEGIN') begun += 1;
      return constants.SQLITE_OK;
    });
    outside.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled(['a', 'b', 'c'].map((value) => group.run(() => keep(value))));
    outside.exec('ROLLBACK');
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(begun).toBe(1);
  });

  it('does not try a single member again that failed', async () => {
    const { group } = harness();
    let runs = 0;
    const failing = group.run(() => {
      runs += 1;
      throw new StorageError('invalid', 'no');
    });
    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    expect(runs).toBe(1);
  });

  it('answers with what the work made', async () => {
    const { group } = harness();
    expect(await Promise.all([group.run(() => 1), group.run(() => 'two')])).toEqual([1, 'two']);
  });

  it('lets a member that throws fail alone', async () => {
    const { group, keep, kept } = harness();
    const results = await Promise.allSettled(['a', 'b', 'a', 'c'].map((value) => group.run(() => keep(value))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(kept()).toEqual(['a', 'b', 'c']);
  });

  it('undoes all of a member that fails half-way', async () => {
    const { group, keep, kept } = harness();
    const half = group.run(() => {
      keep('half');
      throw new StorageError('invalid', 'no');
    });
    const results = await Promise.allSettled([group.run(() => keep('whole')), half]);
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'invalid' } });
    expect(kept()).toEqual(['whole']);
  });

  it('tells every member when the database cannot be written, and goes on when it can again', async () => {
    const { db, outside, group, keep, kept } = harness();
    db.exec('PRAGMA busy_timeout = 0');
    outside.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled(['a', 'b'].map((value) => group.run(() => keep(value))));
    outside.exec('ROLLBACK');
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      expect(result.status === 'rejected' && isStorageError(result.reason)).toBe(true);
    }
    await group.run(() => keep('later'));
    expect(kept()).toEqual(['later']);
  });

  it('refuses what exceeds the queue, and keeps the rest', async () => {
    const { group, keep, kept } = harness({ maxWaiting: 2 });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((value) => group.run(() => keep(value))));
    expect(results[2]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 1 } });
    expect(kept()).toEqual(['a', 'b']);
    await group.run(() => keep('d'));
  });

  it('splits what is too much for one commit, in order', async () => {
    const { group, keep, kept, commits } = harness({ maxBatch: 2 });
    const order: string[] = [];
    const values = ['e', 'd', 'c', 'b', 'a'];
    await Promise.all(values.map((value) => group.run(() => keep(value)).then(() => order.push(value))));
    expect(order).toEqual(values);
    expect(kept()).toHaveLength(5);
    expect(commits.count).toBe(3);
  });

  it('commits at once when it is told to', async () => {
    const { group, keep, kept } = harness();
    const answer = group.run(() => keep('last'));
    group.flush();
    expect(kept()).toEqual(['last']);
    await answer;
  });
});
