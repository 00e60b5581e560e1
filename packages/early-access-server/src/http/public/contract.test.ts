import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXAMPLE_DECLARATIONS } from '@early-access-kit/testkit/fields';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { StorageAdapter } from 'early-access-kit/core';
import { runAdapterContract } from 'early-access-kit/testing';
import { vi } from 'vitest';
import { type MailWorker, startMailWorker } from '../../app/mail/mail-worker.ts';
import { silentLog } from '../../app/ports/log.ts';
import { plainEmail } from '../../fixtures/mail-harness.ts';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';
import { emptyDatabase } from '../../fixtures/temp-store.ts';
import { type SqliteStore, sqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import { type Listening, listen } from '../application/listen.ts';
import { createRoutes } from '../application/routes.ts';

interface Subject {
  readonly adapter: StorageAdapter;
  readonly listening: Listening;
  readonly store: SqliteStore;
  readonly worker: MailWorker;
  readonly raw: DatabaseSync;
  readonly folder: string;
  /** The recipients of the mail worker. */
  readonly welcomed: string[];
}

runAdapterContract<Subject>({
  name: 'httpAdapter over the listening server',
  async create({ adminEmail, now, deadlineMs }) {
    const folder = mkdtempSync(join(tmpdir(), 'early-access-contract-'));
    const file = emptyDatabase(folder);
    const store = sqliteStore({ file, clock: now });
    const welcomed: string[] = [];
    const worker = startMailWorker({
      queue: store.mails,
      transport: {
        async deliver({ to }) {
          welcomed.push(to);
          return { outcome: 'sent' };
        },
        async close() {},
      },
      compose: plainEmail,
      log: silentLog,
      clock: now,
    });
    const options = {
      clock: now,
      adminEmail,
      fields: EXAMPLE_DECLARATIONS,
      share: { showPlaces: true },
      signupCount: { smallest: 1, rounding: 'exact' },
    } as const;
    const app = createRoutes({ store, wakeMail: worker.wake, ...options });
    const listening = await listen({ app, port: 0, hosts: ['127.0.0.1'] });
    const adapter = httpAdapter({ endpoint: `http://127.0.0.1:${listening.port}/api`, deadlineMs });
    return { adapter, listening, store, worker, raw: new DatabaseSync(file, { readOnly: true }), folder, welcomed };
  },
  fields: EXAMPLE_DECLARATIONS,
  optional: ['inbox', 'share', 'count'],
  inspect: ({ raw, welcomed }) => ({ signups: readSignups(raw), sessions: readSessions(raw), welcomed: [...welcomed] }),
  async dispose({ listening, worker, raw, store, folder }) {
    vi.restoreAllMocks();
    await listening.close(0);
    await worker.stop(1_000);
    raw.close();
    store.close();
    rmSync(folder, { recursive: true });
  },
  capabilities: {
    clock: true,
    loseAnswer() {
      const realFetch = fetch;
      vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...call) => {
        const response = await realFetch(...call);
        await response.body?.cancel();
        throw new TypeError('the connection broke');
      });
    },
    breakStore: {
      /** Removes the tables under the open store, so that every statement on them fails. */
      fail({ folder }) {
        const other = new DatabaseSync(join(folder, 'test.sqlite'));
        other.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF');
        const tables = other
          .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
          .all();
        for (const { name } of tables) other.exec(`DROP TABLE IF EXISTS "${name}"`);
        other.close();
      },
      hang() {
        vi.spyOn(globalThis, 'fetch').mockImplementation(
          (_, init) =>
            new Promise((_resolve, reject) =>
              init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
            ),
        );
      },
    },
  },
});
