import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../app/config-error.ts';
import { createFolder } from '../app/create-folder.ts';
import { describeError } from '../app/ports/log.ts';
import { dataPaths, readDataDir } from '../settings/config.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import { type FileContent, inspectReplaceable, openBackup } from '../stores/sqlite/restore-file.ts';
import { writeDurably } from './backup.ts';
import { type Command, onlyArgument } from './command.ts';

const REPLACE = '--replace';

/**
 * Replaces the database with a backup. Never replaces one that is in use, and one that contains data only with
 * `--replace`.
 */
export const restore: Command = async (context) => {
  const args = context.args.filter((arg) => arg !== REPLACE);
  const file = resolve(onlyArgument({ ...context, args }, `restore <file> [${REPLACE}]`));
  if (SETTINGS.DATABASE_URL.read(context.env) !== null) {
    throw new ConfigError(
      'DATABASE_URL is set: a Postgres database is restored with pg_restore or psql, see docs/postgres.md of this package',
    );
  }
  const dataDir = readDataDir(context.env);
  const { database } = dataPaths(dataDir);
  const backup = openOrExplain(file);
  try {
    const found = inspectReplaceable(database);
    if (found === 'in-use') throw new ConfigError(`${database} is in use; stop the server, then restore`);
    if (!isEmpty(found) && !context.args.includes(REPLACE)) {
      throw new ConfigError(
        `${database} ${describeContent(found)}; back it up if you need it, and add ${REPLACE} to replace it`,
      );
    }
    try {
      createFolder(dataDir);
      await writeDurably(database, (part) => {
        backup.writeCopy(part);
        // Only a damaged database still has these files, and SQLite would apply them to the restored one.
        for (const ending of ['-wal', '-shm']) rmSync(database + ending, { force: true });
      });
    } catch (error) {
      throw new ConfigError(`${database} cannot be written: ${describeError(error)}`);
    }
  } finally {
    backup.close();
  }
  const { signups, queued } = backup.content;
  context.stdout.write(`Restored ${database} (signups: ${signups})\n`);
  if (queued > 0) {
    context.stderr.write(
      `Emails waiting in it: ${queued}. They will be sent when the server starts, even if they were sent after the backup.\n`,
    );
  }
  return 0;
};

function openOrExplain(file: string) {
  try {
    if (!existsSync(file)) throw new Error('there is no such file');
    return openBackup(file);
  } catch (error) {
    throw new ConfigError(`the backup ${file} cannot be restored: ${describeError(error)}`);
  }
}

function isEmpty(found: FileContent | 'damaged'): boolean {
  return found !== 'damaged' && found.signups + found.sessions === 0;
}

function describeContent(found: FileContent | 'damaged'): string {
  return found === 'damaged' ? 'cannot be read' : `has data (signups: ${found.signups}, sessions: ${found.sessions})`;
}
