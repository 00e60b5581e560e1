import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Chance } from '@early-access-kit/testkit/fault-runs';
import { tempRoot } from '@early-access-kit/testkit/temp-root';
import { createEarlyAccess, type EarlyAccess } from 'early-access-server';
import { type SqliteStore, sqliteStore } from 'early-access-server/sqlite';
import { DEFAULT_RETENTION_DAYS } from '../../packages/early-access-server/src/app/jobs/retention.ts';
import { type Disk, simulateDisk } from './disk.ts';
import { createServices, type Services } from './services.ts';
import { type SimulatedTime, simulateTime } from './simulated-time.ts';

/** One process: the application with its own connection to the file. */
interface Process {
  readonly store: SqliteStore;
  readonly app: EarlyAccess;
  hasEnded: boolean;
}

/** The settings of a history's application. */
export interface Setup {
  readonly confirm: boolean;
  /** Jobs run continuously, as on a server, in addition to cron jobs. */
  readonly isServer: boolean;
  /** Old sessions are deleted. */
  readonly hasRetention: boolean;
}

/** The machine and everything around it. */
export interface World {
  readonly time: SimulatedTime;
  readonly services: Services;
  readonly disk: Disk;
  /** The generator of the current step. */
  chance: Chance;
  /** Returns one of the processes, starting it if needed. */
  process(index: number): Process;
  /** Returns a running process; null if there is none. */
  running(): Process | null;
  readonly file: string;
  /** A connection that reads the file directly. */
  readonly raw: DatabaseSync;
  /** Number of processes that have ended without finishing their work. */
  readonly crashes: number;
  /** Kills one process. The contents of the file remain. */
  kill(index: number): void;
  /** Ends all processes. The disk loses all or part of the data that was not flushed. */
  failPower(): void;
  /** Ends one process gracefully. */
  stop(index: number): Promise<void>;
  close(): void;
}

export const PROCESSES = 2;
export const INVITE_KEY = 'k'.repeat(32);
export const LEASE_MS = 300_000;
/** May be in memory, because the simulated disk decides which writes a power failure loses. */
const newFolder = () => mkdtempSync(path.join(tempRoot(), 'early-access-simulation-'));

/** An empty database with the schema, created once. */
let template: Buffer | undefined;

function emptyDatabase(): Buffer {
  const folder = newFolder();
  const file = path.join(folder, 'early-access.sqlite');
  sqliteStore({ file }).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

export function createWorld(chance: Chance, { confirm, isServer, hasRetention }: Setup): World {
  template ??= emptyDatabase();
  const time = simulateTime();
  const root = newFolder();
  const services = createServices(
    () => world.chance,
    () => ({ time: time.now, failures: disk.failures + crashes + stops }),
  );
  const processes = new Map<number, Process>();
  let life = 0;
  let crashes = 0;
  let stops = 0;
  let isClosed = false;
  const file = () => path.join(root, `${life}.sqlite`);
  const disk = simulateDisk({ file, chance: () => world.chance, time, onPowerFailure });
  writeFileSync(file(), template);
  let raw: DatabaseSync;

  function open(): DatabaseSync {
    const db = new DatabaseSync(file());
    const integrity =
      life === 0 || world.chance.below(4) > 0 ? 'ok' : db.prepare('PRAGMA integrity_check').get()?.integrity_check;
    if (integrity !== 'ok') throw new Error(`the file is damaged: ${integrity}`);
    return db;
  }

  function onPowerFailure(): void {
    crashes += 1;
    const ended = [...processes.values()];
    for (const process of ended) process.hasEnded = true;
    processes.clear();
    const [from, { durable, written }] = [file(), disk.wal];
    life += 1;
    copyFileSync(from, file());
    if (existsSync(`${from}-wal`)) {
      const wal = readFileSync(`${from}-wal`).subarray(0, durable + world.chance.below(written - durable + 1));
      // The last sector may contain anything.
      const torn = written > durable ? Buffer.alloc(world.chance.below(600), 0x5a) : Buffer.alloc(0);
      writeFileSync(`${file()}-wal`, Buffer.concat([wal, torn]));
    }
    disk.recovered();
    for (const process of ended) bury(process);
  }

  /** Stops the timers of a process that has ended. */
  function bury({ app, store }: Process): void {
    app.stop(0).catch(() => {});
    store.close();
  }

  function start(): Process {
    const process: { hasEnded: boolean } = { hasEnded: false };
    const { mail, webhooks } = services.transports(() => process.hasEnded);
    const clock = () => time.now;
    const options = { file: file(), clock, mailsPerHour: 10_000, leaseMs: LEASE_MS, confirm };
    const store = disk.opening(process, () => sqliteStore(options));
    const app = createEarlyAccess({
      store,
      clock,
      adminEmail: 'admin@example.com',
      publicUrl: new URL('https://early.example'),
      invites: { url: new URL('https://app.example/join'), key: INVITE_KEY },
      mail: { transport: mail, from: 'hello@example.com' },
      webhooks: { transport: webhooks },
      retentionDays: hasRetention ? DEFAULT_RETENTION_DAYS : 'by-database',
      rateLimiter: { take: async () => {}, giveBack: async () => {} },
    });
    if (isServer) app.start();
    return Object.assign(process, { store, app });
  }

  const world = {
    time,
    services,
    disk,
    chance,
    get crashes() {
      return crashes;
    },
    get file() {
      return file();
    },
    /** Reopened after a power failure. */
    get raw() {
      if (raw.location()?.endsWith(path.basename(file()))) return raw;
      raw.close();
      raw = open();
      return raw;
    },
    running: () => processes.values().next().value ?? null,
    process(index: number) {
      if (isClosed) throw new Error('the history is over');
      const running = processes.get(index);
      if (running !== undefined) return running;
      const started = start();
      processes.set(index, started);
      return started;
    },
    kill(index: number) {
      const process = processes.get(index);
      if (process === undefined) return;
      crashes += 1;
      processes.delete(index);
      process.hasEnded = true;
      bury(process);
    },
    failPower: onPowerFailure,
    async stop(index: number) {
      const process = processes.get(index);
      if (process === undefined) return;
      processes.delete(index);
      stops += 1;
      await process.app.stop(0);
      process.store.close();
      process.hasEnded = true;
      // Counted again, because results that arrive while the process stops may not be recorded.
      stops += 1;
    },
    close() {
      isClosed = true;
      for (const index of [...processes.keys()]) this.kill(index);
      raw.close();
      rmSync(root, { recursive: true, force: true });
    },
  } satisfies World;
  raw = open();
  return world;
}
