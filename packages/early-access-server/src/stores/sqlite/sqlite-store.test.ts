import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { EVERYONE } from '../../app/people/people.ts';
import { readSignups, readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { threadReplies } from '../../fixtures/worker-threads.ts';
import { sqliteStore } from './sqlite-store.ts';

afterEach(() => vi.restoreAllMocks());

describe('sqliteStore', () => {
  it('commits pending writes when it is closed', async () => {
    const file = join(tempFolder(), 'closing.sqlite');
    const store = sqliteStore({ file });
    const created = store.createSignup(signupOf());
    store.close();
    expect(await created).toBe('created');
    const db = new DatabaseSync(file, { readOnly: true });
    expect(readSignups(db)).toHaveLength(1);
    db.close();
  });

  it('leaves one file behind when it is closed, and can be closed twice', async () => {
    const folder = tempFolder();
    const checkpointed = threadReplies();
    const store = sqliteStore({ file: join(folder, 'closing.sqlite') });
    // Enough for a checkpoint, whose thread has the file open too.
    await Promise.all(Array.from({ length: 600 }, () => store.startSession(sessionOf())));
    await vi.waitFor(() => expect(checkpointed).toHaveBeenCalled());
    store.close();
    expect(readdirSync(folder)).toEqual(['closing.sqlite']);
    store.close();
  });

  it('puts people on the list without a confirmation, unless it is told to', async () => {
    const { store } = tempStore();
    await store.createSignup(signupOf());
    expect(await Array.fromAsync(store.people.all(EVERYONE))).toMatchObject([{ state: 'subscribed' }]);
  });

  it('stores the mailbox of an address only if it is another one, and finds both by either', async () => {
    const { store, raw } = tempStore();
    for (const email of ['ann@gmail.com', 'b.ob+news@gmail.com']) {
      await store.createSignup(signupOf({ email }));
      await store.list.changePerson(email, 'unsubscribe', 'admin');
    }
    expect(raw.prepare('SELECT mailbox FROM email_signups ORDER BY id').all()).toEqual([
      { mailbox: null },
      { mailbox: mailboxKey('bob@gmail.com') },
    ]);
    for (const email of ['a.n.n@gmail.com', 'bob@gmail.com']) await store.createSignup(signupOf({ email }));
    expect((await store.list.counts()).get('pending')).toBe(2);
  });

  it('says that it does not answer after a write has failed, until writes work again', async () => {
    const { store } = tempStore();
    const fail = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    });
    await expect(store.createSignup(signupOf())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.ping()).rejects.toThrow('does not respond');
    fail.mockRestore();
    await store.ping();
  });

  it('says that it does not answer after a read has found damage, even if the rest can be read', async () => {
    const { store } = tempStore();
    vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(() => {
      throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
    });
    await expect(store.readSummary()).rejects.toThrow('does not respond');
    expect(await store.readSummary()).toMatchObject({ email_signups: 0 });
    await expect(store.ping()).rejects.toThrow('does not respond');
  });

  it('says that it does not answer once it is closed', async () => {
    const { store } = tempStore();
    await store.ping();
    store.close();
    const error = { code: 'unavailable', retryAfter: 1, message: expect.stringContaining('does not respond') };
    await expect(store.readSummary()).rejects.toThrow(expect.objectContaining(error));
    await expect(store.ping()).rejects.toThrow(expect.objectContaining(error));
  });

  it('lets the event loop turn while it looks for fields among many people', async () => {
    const { store, file } = tempStore();
    const db = new DatabaseSync(file);
    db.exec(`
      INSERT INTO email_signups (email, source, submission_id, person_id, created_at)
      WITH RECURSIVE person (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM person WHERE n < 12000)
      SELECT 'p' || n, 'x', n, n, n FROM person
    `);
    let turns = 0;
    const turn = () => {
      turns += 1;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    onTestFinished(() => clearImmediate(timer));
    expect(await store.people.haveFields()).toBe(false);
    expect(turns).toBeGreaterThanOrEqual(2);
    db.exec(`UPDATE email_signups SET fields = '{"team":"x"}' WHERE id = 12000`);
    db.close();
    expect(await store.people.haveFields()).toBe(true);
  });

  it('keeps no token that has expired', async () => {
    const clock = { now: 1_000 };
    const { store, raw } = tempStore({ clock: () => clock.now });
    const add = async (hash: string) => {
      await store.admin.addSignInToken({ hash, email: 'ada@example.com', expires_at: clock.now + 10 });
      await store.humanTokens.claim(hash, 'purpose', clock.now + 10);
    };
    await add('first');
    clock.now += 10;
    await add('second');
    const kept = ['admin_sign_in_tokens', 'human_tokens'].map((table) =>
      raw.prepare(`SELECT hash FROM ${table}`).all(),
    );
    expect(kept).toEqual([[{ hash: 'second' }], [{ hash: 'second' }]]);
  });

  it('stores the newest Idempotency-Keys of an API key, of each as many as entries of the audit', async () => {
    const clock = { now: 1_000 };
    const { store, raw } = tempStore({ clock: () => clock.now, auditEntries: 2 });
    for (const hash of ['a1', 'a2', 'b1', 'a3']) {
      clock.now += 1;
      await store.apiKeys.claimRequest({ hash, api_key: hash.slice(0, 1), request: 'request' });
    }
    const stored = raw.prepare('SELECT hash FROM idempotency_keys ORDER BY hash').all();
    expect(stored.map(({ hash }) => hash)).toEqual(['a2', 'a3', 'b1']);
  });

  it('knows its size, the room on the disk, and when the last backup was made', async () => {
    const file = join(tempFolder(), 'facts.sqlite');
    let now = 1_000;
    const store = sqliteStore({ file, clock: () => now });
    onTestFinished(() => store.close());
    await store.createSignup(signupOf());
    const { bavail, bsize } = statfsSync(file);
    const facts = await store.facts();
    expect(facts).toMatchObject({
      store: 'sqlite',
      database_bytes: statSync(file).size + statSync(`${file}-wal`).size,
      last_backup_at: null,
    });
    expect(Number(facts.disk_free_bytes) / (bavail * bsize)).toBeCloseTo(1, 1);
    await store.recordBackup();
    now = 2_000;
    await store.recordBackup();
    expect((await store.facts()).last_backup_at).toBe(2_000);
    const raw = new DatabaseSync(file, { readOnly: true });
    expect(readValue(raw, 'SELECT count(*) FROM backups')).toBe(1);
    raw.close();
    rmSync(`${file}-wal`);
    expect((await store.facts()).database_bytes).toBe(statSync(file).size);
  });
});
