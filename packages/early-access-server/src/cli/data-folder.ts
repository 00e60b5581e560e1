import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { createFolder } from '../app/create-folder.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import { dataPaths, readDataDir } from '../settings/config.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import { readMailsPerHour } from '../settings/settings.ts';
import { type SqliteStore, type SqliteStoreOptions, sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { DataSource } from './admin-commands.ts';
import { openPostgres } from './postgres.ts';

/** Opens the store in the folder, and creates both if necessary. Throws a `ConfigError` if that fails. */
export function openData(dataDir: string, options: Omit<SqliteStoreOptions, 'file'> = {}): SqliteStore {
  try {
    createFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be written: ${describeError(error)}; choose another folder, or correct its permissions`,
    );
  }
  const { database } = dataPaths(dataDir);
  try {
    // Checked before SQLite opens a database that it cannot write: it would create other files that are not writable
    // either.
    for (const file of [database, `${database}-wal`, `${database}-shm`]) {
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    }
    return sqliteStore({ file: database, ...options });
  } catch (error) {
    throw new ConfigError(`the database ${database} cannot be opened: ${describeError(error)}`);
  }
}

/** Opens an existing store. Throws a `ConfigError` if there is none, because a typo must not create an empty store. */
export function openExistingData(dataDir: string, options: Omit<SqliteStoreOptions, 'file'>): SqliteStore {
  const { database } = dataPaths(dataDir);
  if (!existsSync(database)) {
    throw new ConfigError(
      `there is no ${database} yet; start the server once, or set DATA_DIR to the data folder of the one that you run`,
    );
  }
  return openData(dataDir, options);
}

/** Opens an empty store that is deleted when it is closed. */
function openTemporary(options: Omit<SqliteStoreOptions, 'file'>): SqliteStore {
  const folder = mkdtempSync(join(tmpdir(), 'early-access-'));
  const store = openData(folder, options);
  return {
    ...store,
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The database in `DATABASE_URL`, otherwise the folder in `DATA_DIR`. */
export const existingData: DataSource = {
  open({ env, stdout, stderr }, use = 'existing') {
    const [databaseUrl, mailsPerHour] = [SETTINGS.DATABASE_URL.read(env), readMailsPerHour(env)];
    if (databaseUrl !== null) return openPostgres(databaseUrl, { mailsPerHour });
    const dataDir = readDataDir(env);
    const options = { mailsPerHour, log: jsonLog(stderr) };
    const { database } = dataPaths(dataDir);
    if (use === 'existing' || existsSync(database)) return openExistingData(dataDir, options);
    if (use === 'trial') return openTemporary(options);
    const store = openData(dataDir, options);
    stdout.write(`Created ${database}\n`);
    return store;
  },
  mailFolder: (env) => dataPaths(readDataDir(env)).mail,
};
