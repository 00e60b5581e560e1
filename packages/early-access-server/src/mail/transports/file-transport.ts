import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../app/create-folder.ts';
import type { MailTransport } from '../../app/ports/mail-transport.ts';
import { refused, toMessage } from '../mime.ts';

export interface FileOptions {
  /** Created if missing, readable only by the user that runs the process. */
  readonly folder: string;
}

/**
 * Writes each email to an .eml file named after its Message-ID, so that delivering an email twice leaves one file.
 * Lines are not broken, so that links can be copied.
 *
 * @example
 * const transport = fileTransport({ folder: 'mails' });
 */
export function fileTransport({ folder }: FileOptions): MailTransport {
  return {
    async deliver(email) {
      try {
        const message = await toMessage(email, { keepLines: true });
        if ('outcome' in message) return message;
        createFolder(folder);
        const name = toFileName(email.messageId);
        await writeDurably(folder, name, message.raw);
        return { outcome: 'sent', file: join(folder, name) };
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
        return refused('unreachable', `the file could not be written: ${code}`);
      }
    },
    async close() {},
  };
}

/** Writes a file atomically and durably: writes a temporary file, flushes it, renames it and flushes the folder. */
async function writeDurably(folder: string, name: string, content: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(folder);
}

/** Windows cannot flush a folder; its file systems persist renames themselves. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}

/** The id without its brackets. An unsafe id gets a digest, so that two ids never share a file. */
export function toFileName(messageId: string): string {
  const id = messageId.replace(/^<(.*)>$/s, '$1');
  const safe = id
    .replace(/[^\w@.-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 120);
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return safe === id && id !== '' ? `${safe}.eml` : `${safe}-${digest}.eml`;
}
