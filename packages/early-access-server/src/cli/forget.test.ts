import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run, startChild } from '../fixtures/child-server.ts';
import { hurry } from '../fixtures/hurry.ts';
import { runHere } from '../fixtures/run-command.ts';
import { claimNext } from '../fixtures/temp-store.ts';
import { dataPaths } from '../settings/config.ts';
import type { SqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { adminCommands } from './admin-commands.ts';
import { existingData, openData } from './data-folder.ts';

interface Person {
  readonly email: string;
  readonly sessionId: string;
  /** Their value of a field. */
  readonly company: string;
}

/** Signs up people with random keys, so that rows are spread over every index. Each has their own session. */
async function signUpMany(store: SqliteStore, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { email: `${id.slice(0, 13)}@example.org`, sessionId: randomUUID(), company: randomUUID() };
  });
  await Promise.all(
    people.flatMap(({ email, sessionId, company }, index) => {
      const session = sessionOf({ id: sessionId });
      return [
        store.updateSession(sessionId, updateOf(session)),
        // Some are longer than what fits into a page of the file.
        store.createSignup(
          signupOf({
            email,
            session_id: sessionId,
            fields: { company, note: 'x'.repeat(index % 9 === 0 ? 4_000 : 9) },
          }),
        ),
      ];
    }),
  );
  return people;
}

const runForget = (DATA_DIR: string, email: string) =>
  runHere(adminCommands(existingData).forget, [email], { DATA_DIR });

/** The texts that occur in any file of the folder. */
function traces(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));
  return texts.filter((value) => files.some((content) => content.includes(value)));
}

/** A connection that holds a read snapshot until it is closed. */
function openReader(dataDir: string): DatabaseSync {
  const reader = new DatabaseSync(dataPaths(dataDir).database);
  onTestFinished(() => {
    if (reader.isOpen) reader.close();
  });
  reader.exec('BEGIN; SELECT count(*) FROM email_signups');
  return reader;
}

const listTexts = (people: readonly Person[]) =>
  people.flatMap(({ email, sessionId, company }) => [email, sessionId, company]);

describe('forget', () => {
  it('leaves no trace of 12 out of 720 people while a server writes and others read', async () => {
    const DATA_DIR = tempFolder();
    const store = openData(DATA_DIR);
    const people = await signUpMany(store, 720);
    const server = await startChild({
      DATA_DIR,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'us@example.org',
      PUBLIC_URL: 'http://localhost',
    });
    const others = new DatabaseSync(dataPaths(DATA_DIR).database, { readOnly: true });
    let busy = true;
    async function load(): Promise<void> {
      while (busy) {
        await signUpMany(store, 5);
        others.prepare('SELECT count(*) FROM sessions WHERE visitor_id > ?').get('8');
        await new Promise(setImmediate);
      }
    }
    const loading = load();
    const forgotten = people.filter((_, index) => index % 60 === 7);
    for (const { email } of forgotten) {
      expect(await runForget(DATA_DIR, email)).toMatchObject({ code: 0, stderr: '' });
    }
    busy = false;
    await loading;
    expect(forgotten).toHaveLength(12);
    expect(traces(DATA_DIR, listTexts(forgotten))).toEqual([]);
    // The same after the server was killed, without closing the WAL.
    server.process.kill('SIGKILL');
    await server.finished;
    const [next] = people;
    if (next === undefined) throw new Error('no one is left');
    expect(traces(DATA_DIR, listTexts([next]))).toHaveLength(3);
    expect(await runForget(DATA_DIR, next.email)).toMatchObject({ code: 0 });
    expect(traces(DATA_DIR, listTexts([...forgotten, next]))).toEqual([]);
    others.close();
    store.close();
  });

  it('reports an incomplete erasure if a reader holds the WAL, and completes it when run again', async () => {
    const DATA_DIR = tempFolder();
    const store = openData(DATA_DIR);
    const [person] = await signUpMany(store, 1);
    if (person === undefined) throw new Error('no one signed up');
    const reader = openReader(DATA_DIR);
    hurry();
    expect(await runForget(DATA_DIR, person.email)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Erased the signup/),
      stderr: expect.stringMatching(/another program is reading the database[\s\S]*run this command again/),
    });
    expect(traces(DATA_DIR, [person.email])).toEqual([person.email]);
    reader.close();
    expect(await runForget(DATA_DIR, person.email)).toMatchObject({
      code: 0,
      stdout: 'Nothing is stored about this address.\n',
    });
    expect(traces(DATA_DIR, listTexts([person]))).toEqual([]);
    store.close();
  });

  it('completes the erasure of a run that was killed', async () => {
    const DATA_DIR = tempFolder();
    const store = openData(DATA_DIR);
    const [person] = await signUpMany(store, 1);
    if (person === undefined) throw new Error('no one signed up');
    const reader = openReader(DATA_DIR);
    const killed = run(['forget', person.email], { DATA_DIR });
    await vi.waitFor(() => expect([...store.signups()]).toEqual([]));
    killed.process.kill('SIGKILL');
    expect((await killed.finished).signal).toBe('SIGKILL');
    reader.close();
    expect(traces(DATA_DIR, [person.email])).toEqual([person.email]);
    expect(await runForget(DATA_DIR, person.email)).toMatchObject({ code: 0 });
    expect(traces(DATA_DIR, listTexts([person]))).toEqual([]);
    store.close();
  });

  it('removes every copy of the message, including temporary files', async () => {
    const DATA_DIR = tempFolder();
    openData(DATA_DIR).close();
    const { mail } = dataPaths(DATA_DIR);
    await mkdir(mail);
    const message = (to: string) => `From: us@example.org\r\nTo: ${to}\r\nSubject: Hello\r\n\r\nWelcome\r\n`;
    const long = `${'ada.lovelace.'.repeat(4)}ada@example.org`;
    writeFileSync(join(mail, 'one.eml'), message('ada@example.org'));
    writeFileSync(join(mail, 'two.eml'), message('lada@example.org'));
    writeFileSync(join(mail, '.three.eml.unfinished'), message(`\r\n ${long}`).replace('To: \r\n', 'To:\r\n'));
    expect(await runForget(DATA_DIR, 'Ada@Example.org')).toMatchObject({
      code: 0,
      stdout: 'Erased its copy in the mail folder. Earlier backups still contain them.\n',
    });
    expect(readdirSync(mail).sort()).toEqual(['.three.eml.unfinished', 'two.eml']);
    await runForget(DATA_DIR, long);
    expect(readdirSync(mail)).toEqual(['two.eml']);
  });

  it('waits for a delivery in progress', async () => {
    const DATA_DIR = tempFolder();
    const store = openData(DATA_DIR);
    const [person] = await signUpMany(store, 1);
    const claimed = await claimNext(store.mails);
    if (person === undefined || claimed === null) throw new Error('no message was due');
    const forgetting = runForget(DATA_DIR, person.email);
    const copy = join(dataPaths(DATA_DIR).mail, `${claimed.messageKey}@example.org.eml`);
    await mkdir(dataPaths(DATA_DIR).mail);
    writeFileSync(copy, `To: ${person.email}\r\n`);
    await store.mails.recordOutcome(claimed, { state: 'sent' });
    const stdout = expect.stringMatching(/^Erased the signup, .*its copy in the mail folder, its session/);
    expect(await forgetting).toMatchObject({ code: 0, stdout });
    expect(existsSync(copy)).toBe(false);
    store.close();
  });

  it('reports a delivery that does not end', async () => {
    const DATA_DIR = tempFolder();
    const store = openData(DATA_DIR);
    const [person] = await signUpMany(store, 1);
    await claimNext(store.mails);
    hurry();
    expect(await runForget(DATA_DIR, person?.email ?? '')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Erased/),
      stderr: expect.stringMatching(/being sent right now[\s\S]*again in a few minutes/),
    });
    store.close();
  });
});
