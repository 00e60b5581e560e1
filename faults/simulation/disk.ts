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

/** Thrown by everything that a process does after it has ended. */
class Ended extends Error {}

/** The disk under the database of one history, as its processes see it. */
export interface Disk {
  /** The next writes meet it. */
  fault: DiskFault | null;
  /** How many writes it has failed. */
  readonly failures: number;
  /** The bytes of the WAL that were certainly on disk when the power failed, and the bytes that may have been. */
  readonly wal: { readonly durable: number; readonly written: number };
  /** Connections that are opened during `open` belong to this process. */
  opening<T>(owner: Owner, open: () => T): T;
  /** After a power failure: what is in the file now is all that was written. */
  recovered(): void;
}

/** A process. Nothing that it does after it has ended reaches the disk. */
interface Owner {
  readonly hasEnded: boolean;
}

interface Connection {
  readonly owner: Owner;
  isWriting: boolean;
  /** Whether a commit returns only after its data is on disk. Read at the first commit. */
  isDurable: boolean | null;
}

interface DiskOptions {
  /** The database file of now. */
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
 * Puts a simulated disk under every connection that processes open from now on. SQLite is the real one. Its commits
 * fail, wait, or are cut off; and only what it has flushed survives a power failure, which SQLite does at each commit
 * if `synchronous` is FULL.
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
    /** The connection, if it is one of a process. */
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
    /** A statement inside a write transaction. */
    beforeWrite() {
      if (state.fault === 'full' && chance().below(8) === 0) fail(FULL);
    },
    /** A checkpoint or a rewriting of the whole file. */
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
        // SQLite may have rolled back by itself already.
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

/**
 * A statement that is compiled when it is first used, because a history uses a quarter of the statements that a store
 * prepares.
 */
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
      // SQLite does not compile a write inside a transaction if another process has rewritten the file since the last
      // look at its tables. A store compiles its statements when it opens, so this happens here alone.
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
