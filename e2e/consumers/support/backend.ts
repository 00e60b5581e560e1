import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { type Database, openDatabase } from '../../support/database.ts';

/** The self-hosted server, for one consumer, and its database. */
export interface Backend {
  readonly origin: string;
  readonly database: Database;
  close(): Promise<void>;
}

/** `settings` say whose pages it serves (`SITE_DIR`) or which others may call it (`ALLOWED_ORIGINS`). */
export async function startBackend(settings: Readonly<Record<string, string>>): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'early-access-consumer-'));
  const server = await startServer({ DATA_DIR: folder, ...settings });
  const database = openDatabase(join(folder, 'early-access.sqlite'));
  return {
    origin: server.origin,
    database,
    async close() {
      database.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
