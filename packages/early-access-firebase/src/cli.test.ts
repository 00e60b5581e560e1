import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { adminCommands, EVERYONE, MAILBOX_FULL_REASON, mailboxKey, runCommand } from 'early-access-server/internal';
import { sqliteStore } from 'early-access-server/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { firestoreStore } from './firestore/firestore-store.ts';
import { harness, PROJECT } from './fixtures/harness.ts';
import { aSession, storeSessions } from './fixtures/sessions.ts';

const ADA = 'ada@example.org';
const b = await harness();

async function run(...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const commands = adminCommands({ open: () => firestoreStore({ firestore: b.db }), mailFolder: () => null });
  const code = await runCommand(commands, argv, { env: {}, stdout, stderr }, 'early-access-firebase');
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

it('export prints every signup if there are several pages', async () => {
  for (let start = 0; start < 1_250; start += 250) {
    const batch = b.db.batch();
    for (let n = start; n < start + 250; n += 1) {
      batch.set(b.db.doc(`email_signups/${n}`), { email: `p${n}@example.org`, created_at: new Date(b.clock.now) });
    }
    await batch.commit();
  }
  const lines = (await run('export')).out.trimEnd().split('\r\n').slice(1);
  expect(new Set(lines).size).toBe(1_250);
  expect(lines).toHaveLength(1_250);
});

describe('forget', () => {
  it('erases the signup, its message and its session, and nothing else', async () => {
    const [own, other] = [aSession(1), aSession(2)];
    await storeSessions(b.db, [own, other]);
    const id = await b.signUp(ADA);
    await b.db.doc(`email_signups/${id}`).update({ session_id: own.id });
    const bob = await b.signUp('bob@example.org');
    await Promise.all([b.deliver(id), b.deliver(bob)]);
    const { code, out } = await run('forget', ' Ada@Example.org');
    expect([code, out]).toEqual([
      0,
      'Erased the signup, its email, its session. Earlier backups still contain them.\n',
    ]);
    const ids = async (collection: string) =>
      (await b.database.list(collection)).map(({ name }) => name.split('/').at(-1));
    expect(await ids('email_signups')).toEqual([bob]);
    expect(await ids('mails')).toEqual([bob]);
    expect(await ids('mailboxes')).toEqual([mailboxKey('bob@example.org')]);
    expect(await ids('sessions')).toEqual([other.id]);
    // firestore.rules checks this, so that an open page does not store the session again.
    expect(await ids('erased_sessions')).toEqual([createHash('sha256').update(own.id).digest('hex')]);
    // Late events and calls do not restore anything.
    await Promise.all([b.deliver(id), b.call('send-welcome-email', { email: ADA })]);
    expect(await ids('mails')).toEqual([bob]);
    expect(b.mailServer.recipients).toHaveLength(2);
    expect((await run('forget', ADA)).out).toBe('Nothing is stored about this address.\n');
  });

  it('erases an address in any spelling', async () => {
    await b.signUp('ada@xn--bcher-kva.example');
    expect((await run('forget', 'Ada@BÜCHER.example')).out).toMatch(/^Erased/);
    expect(await b.database.list('email_signups')).toEqual([]);
  });

  it('does not restore a message that was being delivered', async () => {
    const id = await b.signUp(ADA);
    const arrived = b.mailServer.holdNext();
    const delivered = b.deliver(id);
    const release = await arrived;
    await run('forget', ADA);
    release();
    await delivered;
    expect(await b.database.list('mails')).toEqual([]);
  });
});

describe('mail', () => {
  it('lists the messages, and resends one with an unknown outcome', async () => {
    const id = await b.signUp(ADA);
    await b.deliver(await b.signUp('bob@example.org'));
    const arrived = b.mailServer.holdNext();
    const delivered = b.deliver(id);
    const release = await arrived;
    expect(await run('mail', 'resend', ADA)).toMatchObject({
      code: 1,
      out: expect.stringContaining('being sent right now'),
    });
    b.clock.now += 3_600_000;
    await b.sweep();
    expect((await run('mail')).out).toBe(
      [
        'queued   0\nsending  0\nsent     1\nfailed   0\nunknown  1\n',
        'unknown  ada@example.org  welcome, attempts 1, the sending process ended before the outcome was known\n',
      ].join(''),
    );
    expect(await run('mail', 'resend', ADA)).toMatchObject({ code: 0 });
    b.clock.now = Date.now() + 1_000;
    await b.sweep();
    expect(b.mailServer.recipients.filter((address) => address === ADA)).toHaveLength(2);
    // The first delivery's outcome arrives too late to affect the second.
    release();
    await delivered;
    expect(await b.mail(id)).toMatchObject({ state: 'sent', attempts: 1 });
    const ids = b.mailServer.received.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
    expect(ids[1]).toBe(ids[2]);
  });

  it('shows which messages wait for the mailbox limit, and which for the hourly quota', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: b.clock.now });
    onTestFinished(() => void vi.useRealTimers());
    await b.deploy({ mailsPerHour: 3 });
    for (const tag of [1, 2, 3, 4]) await b.deliver(await b.signUp(`ada+${tag}@example.org`));
    await b.deliver(await b.signUp('bob@example.org'));
    const lines = (await run('mail')).out.split('\n').slice(5, -1);
    expect(lines.toSorted()).toEqual([
      `queued   ada+4@example.org  welcome, attempts 0, next 2026-03-02T14:10:00.000Z, ${MAILBOX_FULL_REASON}`,
      'queued   bob@example.org  welcome, attempts 0, next 2026-03-01T15:00:00.000Z, the mail quota of this hour is used up',
    ]);
    await b.deploy({ mailsPerHour: 4 });
    await b.sweep();
    await b.deploy({ mailsPerHour: 100 });
    await b.deliver(await b.signUp('eve@example.org'));
    expect((await run('mail')).out).not.toContain('quota');
  });
});

describe('on the command line', () => {
  const script = path.join(import.meta.dirname, 'cli.ts');
  const execute = promisify(execFile);
  const environment = () => ({ ...process.env, FIRESTORE_EMULATOR_HOST: b.database.proxy.grpcHost });

  it('uses the project from the environment', async () => {
    await b.signUp(ADA);
    const { stdout } = await execute(process.execPath, [script, 'export'], {
      env: { ...environment(), GOOGLE_CLOUD_PROJECT: PROJECT },
    });
    expect(stdout).toContain('"ada@example.org",');
  });

  it('requires a project', async () => {
    const refused = execute(process.execPath, [script, 'export'], {
      env: { ...environment(), GOOGLE_CLOUD_PROJECT: '' },
    });
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('GOOGLE_CLOUD_PROJECT') });
  });

  it('prints its usage without arguments', async () => {
    const { stdout } = await execute(process.execPath, [script], { env: environment() });
    expect(stdout).toContain('forget <email>');
  });

  it('prints its version', async () => {
    const { stdout } = await execute(process.execPath, [script, '--version'], { env: environment() });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  const copy = (from: string, to: string, DATA_DIR: string) =>
    execute(process.execPath, [script, 'copy', '--from', from, '--to', to], {
      env: { ...environment(), GOOGLE_CLOUD_PROJECT: PROJECT, DATA_DIR },
    });

  it('copies the list from SQLite to Firestore, and from there to an empty SQLite', async () => {
    const [first, second] = [tempFolder(), tempFolder()];
    const source = sqliteStore({ file: path.join(first, 'early-access.sqlite') });
    const person = { source: 'file', created_at: 1_700_000_000_000, consent_text: 'I agree', language: 'fr' } as const;
    const people = [
      { ...person, email: 'ada@example.org', state: 'joined', joined_at: 1_700_000_002_000 } as const,
      { ...person, email: 'bob@example.org', state: 'unsubscribed', unsubscribed_at: 1_700_000_003_000 } as const,
    ];
    await source.list.importPeople(people, { welcome: false });
    await source.segments.add('Joined', { states: ['joined'] });
    await source.close();
    expect((await copy('sqlite', 'firestore', first)).stdout).toBe(
      'Copied 2 people from sqlite to firestore: 2 are new there.\n',
    );
    const stored = await Array.fromAsync(firestoreStore({ firestore: b.db }).people.all(EVERYONE));
    expect(stored).toMatchObject(people);
    // After an interruption or a repetition, nobody is added twice.
    expect((await copy('sqlite', 'firestore', first)).stdout).toContain(': 0 are new there.');
    await copy('firestore', 'sqlite', second);
    const back = sqliteStore({ file: path.join(second, 'early-access.sqlite') });
    expect(await Array.fromAsync(back.people.all(EVERYONE))).toMatchObject(people);
    expect(await back.segments.list()).toMatchObject([{ name: 'Joined', conditions: { states: ['joined'] } }]);
    await back.close();
  });

  it('lists the stores', async () => {
    const refused = copy('firestore', 'firestore', tempFolder());
    const stderr = 'early-access-firebase: usage: copy --from <store> --to <another>: sqlite, postgres, firestore\n';
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
  });
});
