import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { readDataDir } from '../config.ts';
import { dataPaths, openExistingData } from '../data-folder.ts';
import { type Command, onlyArgument, UsageError } from './command.ts';

const USAGE = 'forget <email>';

/** Erases a person: the sign-up, its mail, a copy of it in a file, and the visit it was made in. */
export const forget: Command = async (context) => {
  const email = onlyArgument(context, USAGE);
  if (!isValidEmail(email)) throw new UsageError(`usage: ${USAGE}, and "${email}" is no email address`);
  const dataDir = readDataDir(context.env);
  const store = openExistingData(dataDir);
  try {
    const erased = await store.erase(normalizeEmail(email));
    if (erased === null) {
      context.stdout.write('Nothing is kept about this address.\n');
      return 0;
    }
    const files = await removeMailFiles(dataPaths(dataDir).mail, erased.messageKey);
    const visit = erased.session ? ', the visit it was made in' : '';
    const copies = files > 0 ? ' and its copy in the mail folder' : '';
    context.stdout.write(`Erased the sign-up, its mail${copies}${visit}. Backups made before still hold them.\n`);
    return 0;
  } finally {
    store.close();
  }
};

/** The files are named for the Message-ID, which holds the key. */
async function removeMailFiles(folder: string, messageKey: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => name.includes(messageKey));
  for (const name of own) await rm(join(folder, name), { force: true });
  return own.length;
}
