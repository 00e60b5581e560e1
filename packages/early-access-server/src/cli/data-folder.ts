import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import { dataPaths, readDataDir } from '../settings/config.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import { readMailsPerHour } from '../settings/settings.ts';
import { type SqliteStore, type SqliteStoreOptions, sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { DataSource } from './admin-commands.ts';
import { openPostgres } from './postgres.ts';

/** Opens the store in the folder; creates either if it is missing. Throws a `ConfigError` if it cannot be used. */
export function openData(dataDir: string, options: Omit<SqliteStoreOptions, 'file'> = {}): SqliteStore {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be written: ${describeError(error)}; choose another folder, or correct its permissions`,
    );
  }
  const { database } = dataPaths(dataDir);
  try {
    // Before SQLite opens a file that it may not write: it would leave files beside it that may not be written either.
    for (const file of [database, `${database}-wal`, `${database}-shm`]) {
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    }
    return sqliteStore({ file: database, ...options });
  } catch (error) {
    throw new ConfigError(`the database ${database} cannot be opened: ${describeError(error)}`);
  }
}

/** Opens the store in a folder that has one. Throws a `ConfigError` otherwise: a typo must not create an empty store. */
export function openExistingData(dataDir: string, options: Omit<SqliteStoreOptions, 'file'>): SqliteStore {
  const { database } = dataPaths(dataDir);
  if (!existsSync(database)) throw new ConfigError(`there is no ${database}; set DATA_DIR to the server's data folder`);
  return openData(dataDir, options);
}

/** The database that `DATABASE_URL` names, or the folder that `DATA_DIR` does. */
export const existingData: DataSource = {
  open({ env, stderr }) {
    const [databaseUrl, mailsPerHour] = [SETTINGS.DATABASE_URL.read(env), readMailsPerHour(env)];
    return databaseUrl === null
      ? openExistingData(readDataDir(env), { mailsPerHour, log: jsonLog(stderr) })
      : openPostgres(databaseUrl, { mailsPerHour });
  },
  mailFolder: (env) => dataPaths(readDataDir(env)).mail,
};
