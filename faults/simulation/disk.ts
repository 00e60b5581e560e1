import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Chance } from '@early-access-kit/testkit/fault-runs';
import { replace, type SimulatedTime } from './simulated-time.ts';

/**
 * A fault of the disk. `slow`: a commit takes up to a minute. `torn`: the power fails in the middle of the next commit.
 */
export type DiskFault = 'full' | 'fsync' | 'slow' | 'torn';

/** SQLite's result codes for these faults. */
const FULL = 13;
const IO_ERROR = 10;
const IO_ERROR_FSYNC = 1_034;
const SYNCHRONOUS_FULL = 2;

/** Thrown by all actions of a process after it has ended. */
class Ended extends Error {}

/** The simulated disk of one history's database. */
export interface Disk {
  /** Affects the next writes. */
  fault: DiskFault | null;
  /** Number of failed writes so far. */
  readonly failures: number;
  /** After a power failure: the bytes of the WAL that were certainly on disk, and the bytes that may have been. */
  readonly wal: { readonly durable: number; readonly written: number };
  /** Connections opened during `open` belong to this process. */
  opening<T>(owner: Owner, open: () => T): T;
  /** Call after a power failure: the current contents of the file are all that survived. */
  recovered(): void;
}

/** A process. After it has ended, none of its writes reach the disk. */
interface Owner {
  readonly hasEnded: boolean;
}

interface Connection {
  readonly owner: Owner;
  isWriting: boolean;
  /** Commits only return after their data is on disk. Read at the first commit. */
  isDurable: boolean | null;
}

interface DiskOptions {
  /** Returns the current database file. */
  readonly file: () => string;
  readonly chance: () => Chance;
  readonly time: SimulatedTime;
  /** Called in the middle of a commit. */
  readonly onPowerFailure: () => void;
}

let disk: ReturnType<typeof createDisk> | null = null;
let isInstalled = false;
const { exec, prepare } = DatabaseSync.prototype;

/**
 * Puts a simulated disk below every connection that processes open from now on. SQLite itself is real. Its commits
 * fail, wait, or are cut off; and only flushed data survives a power failure. SQLite flushes at each commit if
 * `synchronous` is FULL.
 */
export function simulateDisk(options: DiskOptions): Disk {
  disk = createDisk(options);
  if (!isInstalled) install();
  isInstalled = true;
  return disk;
}

function createDisk({ file, chance, time, onPowerFailure }: DiskOptions) {
  const connections = new WeakMap<DatabaseSync, Connection>();
  let owner: Owner | null = null;
  let durable = 0;
  let written = 0;
  const walSize = () => statSync(`${file()}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  function fail(code: number): never {
    state.failures += 1;
    throw Object.assign(new Error(code === FULL ? 'database or disk is full' : 'disk I/O error'), { errcode: code });
  }

  const state = {
    fault: null as DiskFault | null,
    failures: 0,
    get wal() {
      return { durable, written };
    },
    opening<T>(process: Owner, open: () => T): T {
      owner = process;
      try {
        return open();
      } finally {
        owner = null;
      }
    },
    recovered() {
      durable = walSize();
      written = durable;
    },
    /** Returns the connection if it belongs to a process. */
    findConnection(db: DatabaseSync): Connection | null {
      let connection = connections.get(db) ?? null;
      if (connection === null && owner !== null) {
        connection = { owner, isWriting: false, isDurable: null };
        connections.set(db, connection);
      }
      if (connection?.owner.hasEnded) throw new Ended('the process has ended');
      if (connection !== null) time.noteActivity();
      return connection;
    },
    /** Called before a statement in a write transaction. */
    beforeWrite() {
      if (state.fault === 'full' && chance().below(8) === 0) fail(FULL);
    },
    /** Called before a checkpoint or a rewrite of the whole file. */
    beforeMaintenance() {
      if ((state.fault === 'full' || state.fault === 'fsync') && chance().below(2) === 0) fail(IO_ERROR);
    },
    afterMaintenance() {
      durable = walSize();
      written = durable;
    },
    commit(db: DatabaseSync, connection: Connection) {
      connection.isWriting = false;
      const { fault } = state;
      if (fault === 'slow') time.now += chance().below(60_000);
      if ((fault === 'full' || fault === 'fsync') && chance().below(3) > 0) {
        // SQLite may or may not roll back by itself.
        if (chance().below(2) === 0) exec.call(db, 'ROLLBACK');
        fail(fault === 'full' ? FULL : IO_ERROR_FSYNC);
      }
      connection.isDurable ??= prepare.call(db, 'PRAGMA synchronous').get()?.synchronous === SYNCHRONOUS_FULL;
      exec.call(db, 'COMMIT');
      written = walSize();
      if (fault === 'torn') {
        state.fault = null;
        onPowerFailure();
        throw new Ended('the power failed');
      }
      if (connection.isDurable) durable = written;
    },
  };
  return state;
}

/** A statement that is compiled at its first use, because a history only uses a quarter of a store's statements. */
class LazyStatement {
  readonly #db: DatabaseSync;
  readonly #sql: string;
  readonly #connection: Connection | null;
  readonly #isMaintenance: boolean;
  #compiled: StatementSync | undefined;

  constructor(db: DatabaseSync, sql: string, connection: Connection | null) {
    this.#db = db;
    this.#sql = sql;
    this.#connection = connection;
    this.#isMaintenance = sql.includes('wal_checkpoint');
  }

  #use(): StatementSync {
    if (this.#connection !== null) disk?.findConnection(this.#db);
    if (this.#compiled === undefined) {
      // SQLite does not compile a write inside a transaction if another process has rewritten the file since it last
      // read the schema. Stores compile their statements when they open, so only this class is affected.
      prepare.call(this.#db, 'SELECT 1 FROM sqlite_schema').get();
      this.#compiled = prepare.call(this.#db, this.#sql);
    }
    return this.#compiled;
  }

  run(...values: Parameters<StatementSync['run']>) {
    const statement = this.#use();
    if (this.#connection?.isWriting) disk?.beforeWrite();
    return statement.run(...values);
  }

  get(...values: Parameters<StatementSync['get']>) {
    const statement = this.#use();
    if (this.#isMaintenance) disk?.beforeMaintenance();
    const row = statement.get(...values);
    if (this.#isMaintenance) disk?.afterMaintenance();
    return row;
  }

  all(...values: Parameters<StatementSync['all']>) {
    return this.#use().all(...values);
  }

  iterate(...values: Parameters<StatementSync['iterate']>) {
    return this.#use().iterate(...values);
  }

  columns() {
    return this.#use().columns();
  }
}

function install(): void {
  replace(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    return new LazyStatement(this, sql, disk?.findConnection(this) ?? null);
  });
  replace(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    const connection = disk?.findConnection(this) ?? null;
    if (disk === null || connection === null) return exec.call(this, sql);
    if (sql === 'COMMIT' && connection.isWriting) return disk.commit(this, connection);
    connection.isWriting = sql === 'BEGIN IMMEDIATE';
    if (sql !== 'VACUUM') return exec.call(this, sql);
    disk.beforeMaintenance();
    exec.call(this, sql);
    disk.afterMaintenance();
  });
}
