import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { describeError, jsonLog } from '../app/ports/log.ts';
import { readDataDir } from '../settings/config.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import { flush } from '../stores/sqlite/backups.ts';
import { type Command, onlyArgument } from './command.ts';
import { openExistingData } from './data-folder.ts';

/** Writes a consistent copy of the database, even while the server runs. Never overwrites a file. */
export const backup: Command = async (context) => {
  const target = resolve(onlyArgument(context, 'backup <file>'));
  if (SETTINGS.DATABASE_URL.read(context.env) !== null) {
    throw new ConfigError(
      'DATABASE_URL is set: a Postgres database is backed up with pg_dump, see docs/postgres.md of this package',
    );
  }
  if (existsSync(target)) throw new ConfigError(`${target} already exists; name a new file`);
  const log = jsonLog(context.stderr);
  const store = openExistingData(readDataDir(context.env), { log });
  try {
    await writeDurably(target, (part) => store.backup(part));
    await store.recordBackup().catch((error) => log('warn', 'backup-not-recorded', { reason: describeError(error) }));
    context.stdout.write(`Wrote ${target}\n`);
    return 0;
  } catch (error) {
    throw new ConfigError(`the backup ${target} cannot be written: ${describeError(error)}`);
  } finally {
    store.close();
  }
};

/** `write` writes to a temporary name first, so that an incomplete file is never mistaken for a complete one. */
export async function writeDurably(target: string, write: (part: string) => void | Promise<void>): Promise<void> {
  const part = `${target}.${randomUUID()}.part`;
  try {
    await write(part);
    flush(part, 'r+');
    renameSync(part, target);
    // Windows cannot flush a folder; its file systems persist renames themselves.
    if (process.platform !== 'win32') flush(dirname(target), 'r');
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
