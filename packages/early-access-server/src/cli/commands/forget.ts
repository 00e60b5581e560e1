import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { jsonLog } from '../../app/log.ts';
import type { Erasure, MailQueue } from '../../stores/store.ts';
import { readDataDir } from '../config.ts';
import { dataPaths, openExistingData } from '../data-folder.ts';
import { type Command, onlyArgument, UsageError } from './command.ts';

const USAGE = 'forget <email>';

/** How long a delivery that is under way is waited for: it may be about to write a copy of the message. */
const DELIVERY_MS = 5_000;
const DELIVERY_LOOK_MS = 100;

const READER_IN_THE_WAY = `Not complete: another program is reading the database, so its files still contain the address.
Close it (an export, a backup, an SQLite shell) and run this command again.
`;
const DELIVERY_UNDER_WAY = `Not complete: the welcome email is being sent right now, and a copy may be written to the mail folder.
Run this command again in a few minutes.
`;

/**
 * Erases a person: the signup, its message, copies of it in files, and the session it was made in. Exit code 1 if something of
 * it may be left, with what to do about it.
 */
export const forget: Command = async (context) => {
  const given = onlyArgument(context, USAGE);
  if (!isValidEmail(given)) throw new UsageError(`usage: ${USAGE}, and "${given}" is no email address`);
  const email = normalizeEmail(given);
  const dataDir = readDataDir(context.env);
  const store = openExistingData(dataDir, { log: jsonLog(context.stderr) });
  try {
    const delivered = await deliveryEnds(store.mails, email);
    const { erased, traceless } = await store.erase(email);
    // Also if nothing is stored: an earlier run may have been interrupted.
    const files = await removeMailFiles(dataPaths(dataDir).mail, email, erased);
    context.stdout.write(describe(erased, files));
    if (!traceless) context.stderr.write(READER_IN_THE_WAY);
    if (!delivered) context.stderr.write(DELIVERY_UNDER_WAY);
    return traceless && delivered ? 0 : 1;
  } finally {
    store.close();
  }
};

function describe(erased: Erasure['erased'], files: number): string {
  if (erased === null && files === 0) return 'Nothing is kept about this address.\n';
  const parts = [
    ...(erased === null ? [] : ['the signup', 'its email']),
    ...(files > 0 ? ['its copy in the mail folder'] : []),
    ...(erased?.session ? ['the session it was made in'] : []),
  ];
  return `Erased ${parts.join(', ')}. Backups made before still contain them.\n`;
}

/** Waits until nobody is delivering the message. Returns false if that takes too long. */
async function deliveryEnds(mails: Pick<MailQueue, 'isBeingSent'>, email: string): Promise<boolean> {
  const giveUpAt = performance.now() + DELIVERY_MS;
  while (await mails.isBeingSent(email)) {
    if (performance.now() > giveUpAt) return false;
    await sleep(DELIVERY_LOOK_MS);
  }
  return true;
}

/** Files are named after the Message-ID, which contains the key; those of an earlier run are found by the address in them. */
async function removeMailFiles(folder: string, email: string, erased: Erasure['erased']): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const file = join(folder, name);
    const isNamedAfterIt = typeof erased?.messageKey === 'string' && name.includes(erased.messageKey);
    if (!isNamedAfterIt && !(await isAddressedTo(file, email))) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}

async function isAddressedTo(file: string, email: string): Promise<boolean> {
  const message = await readFile(file, 'utf8').catch(() => '');
  // Long header lines are folded.
  return message.replace(/\r\n[ \t]+/g, ' ').includes(`\nTo: ${email}\r\n`);
}
