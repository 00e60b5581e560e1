import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findTable } from '../../fixtures/copied-data.ts';
import type { Key } from '../sql/copied-tables.ts';
import { openCopySource } from './copy-source.ts';
import { sqliteStore } from './sqlite-store.ts';

const SIGNUPS = findTable('email_signups');

afterEach(() => vi.restoreAllMocks());

/** A source with these signups. */
async function createSource(...emails: readonly string[]) {
  const file = join(tempFolder(), 'source.sqlite');
  const store = sqliteStore({ file });
  onTestFinished(() => store.close());
  for (const email of emails) await store.createSignup(signupOf({ email, referrer: 'https://a.example/\u0000x' }));
  const source = openCopySource(file);
  onTestFinished(() => source.close());
  return { file, store, source };
}

describe('openCopySource', () => {
  it('refuses a file that another release has written, and lets go of it', () => {
    const file = join(tempFolder(), 'another.sqlite');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE notes (note TEXT)');
    db.close();
    const closed = vi.spyOn(DatabaseSync.prototype, 'close');
    expect(() => openCopySource(file)).toThrow(
      'another release has written it; start the server of this one on it once, then copy',
    );
    expect(closed).toHaveBeenCalledOnce();
  });

  it('does not create a file', () => {
    const file = join(tempFolder(), 'missing.sqlite');
    expect(() => openCopySource(file)).toThrow('unable to open database file');
    expect(existsSync(file)).toBe(false);
  });
});

describe('a copy source', () => {
  it('returns each row once, in the order of its key, without NUL', async () => {
    const emails = ['c@example.org', 'a@example.org', 'b@example.org'];
    const { source } = await createSource(...emails);
    const read: unknown[] = [];
    let after: Key | null = null;
    for (;;) {
      const [row, ...others] = source.read(SIGNUPS, after, 1);
      expect(others).toEqual([]);
      if (row === undefined) break;
      read.push(row.email);
      expect(row.referrer).toBe('https://a.example/\ufffdx');
      after = Number(row.id);
    }
    expect([read, source.count(SIGNUPS)]).toEqual([emails, 3]);
  });

  it('remembers the number of a row that was removed', async () => {
    const { source, store } = await createSource();
    const campaigns = findTable('campaigns');
    const content = { subject: 'It is here', body: 'Hello', audience: { states: [], source: null } };
    const ids = [await store.campaigns.create(content), await store.campaigns.create(content)].map(({ id }) => id);
    expect(await store.campaigns.remove(ids[1] ?? '')).toBe(true);
    expect([source.count(campaigns), source.lastNumber(campaigns, 'id')]).toEqual([1, 2]);
  });

  it('knows when another program writes, and does not answer once it is closed', async () => {
    const { file, store } = await createSource('a@example.org');
    const source = openCopySource(file);
    const before = source.version();
    expect(source.version()).toBe(before);
    await store.createSignup(signupOf());
    expect(source.version()).not.toBe(before);
    source.close();
    expect(() => source.version()).toThrow();
  });
});
