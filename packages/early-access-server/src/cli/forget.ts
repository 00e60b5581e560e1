import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Erasure, MailQueue, Store } from '../stores/store.ts';
import type { CommandContext } from './command.ts';

/** How long to wait for a delivery in progress, which may be about to write a copy of the message. */
const DELIVERY_MS = 5_000;
const DELIVERY_LOOK_MS = 100;

const DATABASE_IS_READ = `Not complete: another program is reading the database, so its files still contain the address.
Close it (an export, a backup, an SQLite shell) and run this command again.
`;
const DELIVERY_IN_PROGRESS = `Not complete: the welcome email is being sent right now, and a copy may be written to the mail folder.
Run this command again in a few minutes.
`;

export interface ForgetOptions extends Pick<CommandContext, 'stdout' | 'stderr'> {
  readonly store: Store;
  /** Normalised. */
  readonly email: string;
  /** The folder with copies of sent emails; null if none are written. */
  readonly mailFolder: string | null;
}

/**
 * Erases a person: the signup, its message, copies of it in files, and the session it was made in. Returns 1 if part of it may be
 * left, and prints what to do about it.
 */
export async function forget({ store, email, mailFolder, stdout, stderr }: ForgetOptions): Promise<number> {
  const isDelivered = mailFolder === null || (await deliveryEnds(store.mails, email));
  const { erased, traceless } = await store.erase(email);
  // Even if nothing is stored: an earlier run may have been interrupted.
  const files = mailFolder === null ? 0 : await removeMailFiles(mailFolder, email, erased);
  stdout.write(describe(erased, files));
  if (!traceless) stderr.write(DATABASE_IS_READ);
  if (!isDelivered) stderr.write(DELIVERY_IN_PROGRESS);
  return traceless && isDelivered ? 0 : 1;
}

function describe(erased: Erasure['erased'], files: number): string {
  if (erased === null && files === 0) return 'Nothing is stored about this address.\n';
  const parts = [
    ...(erased === null ? [] : ['the signup', 'its email']),
    ...(files > 0 ? ['its copy in the mail folder'] : []),
    ...(erased?.session ? ['the session it was made in'] : []),
  ];
  return `Erased ${parts.join(', ')}. Backups made before still contain them.\n`;
}

/** Waits until no process is delivering the message. Returns false if that takes too long. */
async function deliveryEnds(mails: MailQueue, email: string): Promise<boolean> {
  const giveUpAt = performance.now() + DELIVERY_MS;
  while (await mails.isBeingSent(email)) {
    if (performance.now() > giveUpAt) return false;
    await sleep(DELIVERY_LOOK_MS);
  }
  return true;
}

/** Files are named after the Message-ID, which contains the key. Those of an earlier run are found by the address in them. */
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
