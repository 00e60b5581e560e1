import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailCopies } from '../../app/people/forget.ts';

/** The copies of emails that `fileTransport` wrote to the folder. */
export function mailFolder(folder: string): MailCopies {
  return {
    /**
     * File names contain the message key. If an interrupted run has already deleted the keys, files are found by the
     * address in them.
     */
    async remove(email, messageKeys) {
      const names = await readdir(folder).catch(() => []);
      let removed = 0;
      for (const name of names) {
        const file = join(folder, name);
        const isNamedAfterIt = messageKeys.some((key) => name.includes(key));
        if (!isNamedAfterIt && !(await hasRecipient(file, email))) continue;
        await overwrite(file);
        await rm(file, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** Overwrites the file, because deleting it would leave its bytes on disk. */
async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    await file.write(Buffer.alloc(size), 0, size, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function hasRecipient(file: string, email: string): Promise<boolean> {
  const message = await readFile(file, 'utf8').catch(() => '');
  // Long header lines are folded.
  return message.replace(/\r\n[ \t]+/g, ' ').includes(`\nTo: ${email}\r\n`);
}
