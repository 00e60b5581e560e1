import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { isStorageError, StorageError } from 'early-access-kit/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';

/** A group commit on a database with one table, a count of its commits and a second connection. */
function harness(options?: GroupCommitOptions) {
  const file = join(tempFolder(), 'group.sqlite');
  const db = openDatabase(file);
  db.exec('CREATE TABLE items (value TEXT NOT NULL UNIQUE)');
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
  const insertion = db.prepare('INSERT INTO items VALUES (?)');
  const select = outside.prepare('SELECT value FROM items ORDER BY value');
  return {
    db,
    outside,
    commits,
    group: groupCommit(db, options),
    insert: (value: string) => insertion.run(value),
    /** The values that another connection sees. */
    stored: () => select.all().map((row) => row.value),
  };
}

describe('groupCommit', () => {
  it('commits members that wait at the same time together', async () => {
    const onCommit = vi.fn();
    const { group, insert, stored, commits } = harness({ onCommit });
    await Promise.all(['a', 'b', 'c'].map((value) => group.run(() => insert(value))));
    expect(stored()).toEqual(['a', 'b', 'c']);
    // Nothing else is committed later.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect([commits.count, onCommit.mock.calls]).toEqual([1, [[null, 3]]]);
  });

  it('resolves after the commit and not before', async () => {
    const { db, group, insert, stored } = harness();
    const events: string[] = [];
    db.setAuthorizer((action, operation) => {
      if (action === constants.SQLITE_TRANSACTION && operation === 'COMMIT') events.push('commit begins');
      return constants.SQLITE_OK;
    });
    const resolved = ['a', 'b'].map(async (value) => {
      await group.run(() => {
        insert(value);
        events.push(`worked on ${value}, others see ${stored().length}`);
      });
      events.push(`resolved ${value}, others see ${stored().length}`);
    });
    await Promise.all(resolved);
    expect(events).toEqual([
      'worked on a, others see 0',
      'worked on b, others see 0',
      'commit begins',
      'resolved a, others see 2',
      'resolved b, others see 2',
    ]);
  });

  it('resolves only once the commit has succeeded, and rejects every member if it fails', async () => {
    const { db, group, insert, stored } = harness();
    // SQLite checks deferred constraints at COMMIT.
    db.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
    `);
    const orphan = db.prepare('INSERT INTO children VALUES (7)');
    const results = await Promise.allSettled([
      group.run(() => insert('a')),
      group.run(() => orphan.run()),
      group.run(() => insert('b')),
    ]);
    const message = expect.stringContaining('the database could not store it');
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 1, message } });
    }
    expect(stored()).toEqual([]);
    await group.run(() => insert('c'));
    expect(stored()).toEqual(['c']);
  });

  it('does not retry a single member that failed', async () => {
    const onCommit = vi.fn();
    const { group } = harness({ onCommit });
    let runs = 0;
    const failing = group.run(() => {
      runs += 1;
      throw new StorageError('invalid', 'no');
    });
    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    expect([runs, onCommit.mock.calls]).toEqual([1, [[expect.objectContaining({ code: 'invalid' }), 1]]]);
  });

  it('rolls back a member that fails half-way', async () => {
    const { group, insert, stored } = harness();
    const half = group.run(() => {
      insert('half');
      throw new StorageError('invalid', 'no');
    });
    const results = await Promise.allSettled([group.run(() => insert('whole')), half]);
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'invalid' } });
    expect(stored()).toEqual(['whole']);
  });

  it('tries a database that cannot be written once, rejects every member, and recovers', async () => {
    const { db, outside, group, insert, stored } = harness();
    db.exec('PRAGMA busy_timeout = 0');
    outside.exec('BEGIN IMMEDIATE');
    let started = 0;
    db.setAuthorizer((action, operation) => {
      if (action === constants.SQLITE_TRANSACTION && operation === 'BEGIN') started += 1;
      return constants.SQLITE_OK;
    });
    const results = await Promise.allSettled(['a', 'b'].map((value) => group.run(() => insert(value))));
    outside.exec('ROLLBACK');
    expect(started).toBe(1);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      expect(result.status === 'rejected' && isStorageError(result.reason)).toBe(true);
    }
    await group.run(() => insert('later'));
    expect(stored()).toEqual(['later']);
  });

  it('rejects writes that exceed the queue, and stores the others', async () => {
    const { group, insert, stored } = harness({ maxWaiting: 2 });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((value) => group.run(() => insert(value))));
    const message = expect.stringContaining('too many writes are waiting');
    expect(results[2]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 1, message } });
    expect(stored()).toEqual(['a', 'b']);
    await group.run(() => insert('d'));
  });

  it('splits too many writes for one commit, in order', async () => {
    const { group, insert, stored, commits } = harness({ maxBatch: 2 });
    const order: string[] = [];
    const values = ['e', 'd', 'c', 'b', 'a'];
    await Promise.all(values.map((value) => group.run(() => insert(value)).then(() => order.push(value))));
    expect(order).toEqual(values);
    expect(stored()).toHaveLength(5);
    expect(commits.count).toBe(3);
  });
});
