import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteStore } from './sqlite-store.ts';

const EMAIL = 'ada@example.org';

/** A store whose file holds the address in a page that is free, as a program without `secure_delete` leaves it. */
function storeWithTrace(file: string) {
  sqliteStore({ file }).close();
  const raw = new DatabaseSync(file);
  raw.exec(
    `PRAGMA secure_delete = OFF; CREATE TABLE old (value); INSERT INTO old VALUES ('about ${EMAIL}'); DROP TABLE old`,
  );
  raw.close();
  const store = sqliteStore({ file });
  onTestFinished(() => store.close());
  return store;
}

const contentOf = (file: string) =>
  readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1');

it('erases an address also where another program has left it', async () => {
  const file = join(tempFolder(), 'traces.sqlite');
  const store = storeWithTrace(file);
  expect(contentOf(file)).toContain(EMAIL);
  expect(await store.erase(EMAIL)).toEqual({ erased: null, traceless: true });
  expect(contentOf(file)).not.toContain(EMAIL);
});

it('does not rewrite a file without traces', async () => {
  const file = join(tempFolder(), 'traces.sqlite');
  const store = storeWithTrace(file);
  await store.createSignup(signupOf({ email: 'bob@example.org' }));
  expect(await store.erase('bob@example.org')).toMatchObject({ erased: {}, traceless: true });
  expect(contentOf(file)).toContain(EMAIL);
  expect(contentOf(file)).not.toContain('bob@example.org');
});
