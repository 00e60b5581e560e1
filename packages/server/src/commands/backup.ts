import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, readDataDir } from '../config.ts';
import { openExistingData } from '../data-folder.ts';
import { reasonOf } from '../log.ts';
import { type Command, onlyArgument } from './command.ts';

/** Writes a consistent copy of the database, also while the server runs. Never over a file that is there. */
export const backup: Command = async (context) => {
  const target = resolve(onlyArgument(context, 'backup <file>'));
  if (existsSync(target)) throw new ConfigError(`${target} is there already; name a new file`);
  const store = openExistingData(readDataDir(context.env));
  // Under another name until it is whole, so that nobody takes half a copy for a backup.
  const part = `${target}.part`;
  try {
    rmSync(part, { force: true });
    store.backup(part);
    const file = openSync(part, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(part, target);
    context.stdout.write(`Wrote ${target}\n`);
    return 0;
  } catch (error) {
    rmSync(part, { force: true });
    throw new ConfigError(`the backup ${target} cannot be written: ${reasonOf(error)}`);
  } finally {
    store.close();
  }
};
