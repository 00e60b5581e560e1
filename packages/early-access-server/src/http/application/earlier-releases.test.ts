import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FIRST_DECLARATIONS } from '@early-access-kit/testkit/fields';
import { listReleases, unpackRelease } from '@early-access-kit/testkit/releases';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { StorageAdapter } from 'early-access-kit/core';
import type { runAdapterContract } from 'early-access-kit/testing';
import { vi } from 'vitest';
import { UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';
import { type SqliteStore, sqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import { createEarlyAccess, type EarlyAccess } from './early-access.ts';

/** The parts of one release that speak the wire protocol. */
interface Server {
  readonly createEarlyAccess: typeof createEarlyAccess;
  readonly sqliteStore: typeof sqliteStore;
}
interface Kit {
  readonly httpAdapter: typeof httpAdapter;
}

interface Subject {
  readonly adapter: StorageAdapter;
  readonly app: EarlyAccess;
  readonly store: SqliteStore;
  readonly raw: DatabaseSync;
  readonly welcomed: string[];
  readonly folder: string;
}

for (const version of listReleases()) {
  const { modules } = unpackRelease(version);
  const kit: Kit = await import(join(modules, 'early-access-kit/dist/adapters/http.js'));
  const server: Server = {
    ...(await import(join(modules, 'early-access-server/dist/index.js'))),
    ...(await import(join(modules, 'early-access-server/dist/sqlite.js'))),
  };
  const contract: { runAdapterContract: typeof runAdapterContract } = await import(
    join(modules, 'early-access-kit/dist/testing.js')
  );
  const run = runEarlierContract.bind(null, contract.runAdapterContract);
  run(`the http adapter of ${version} with this server`, { createEarlyAccess, sqliteStore, ...kit });
  run(`this http adapter with the server of ${version}`, { ...server, httpAdapter });
}

/** Checks what the earlier release has promised, which may be less than this one does. */
function runEarlierContract(run: typeof runAdapterContract, name: string, parts: Server & Kit): void {
  run<Subject>({
    name,
    create({ adminEmail, now }) {
      const folder = mkdtempSync(join(tmpdir(), 'early-access-earlier-'));
      const file = join(folder, 'contract.sqlite');
      const store = parts.sqliteStore({ file, clock: now });
      const welcomed: string[] = [];
      const app = parts.createEarlyAccess({
        store,
        adminEmail,
        clock: now,
        fields: FIRST_DECLARATIONS,
        rateLimits: UNLIMITED_RATE_LIMITS,
        mail: {
          from: 'hello@example.org',
          transport: {
            async deliver({ to }) {
              welcomed.push(to);
              return { outcome: 'sent' };
            },
            async close() {},
          },
        },
      });
      app.start();
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => app.fetch(new Request(input, init)));
      const adapter = parts.httpAdapter({ endpoint: 'https://site.example/api' });
      return { adapter, app, store, raw: new DatabaseSync(file, { readOnly: true }), welcomed, folder };
    },
    fields: FIRST_DECLARATIONS,
    inspect: ({ raw, welcomed }) => ({ signups: readSignups(raw), sessions: readSessions(raw), welcomed }),
    async dispose({ app, store, raw, folder }) {
      vi.restoreAllMocks();
      await app.stop();
      raw.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
    capabilities: { clock: true },
  });
}
