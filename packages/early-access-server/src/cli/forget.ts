import { forgetPerson } from '../app/people/forget.ts';
import type { Erasure, Store } from '../app/ports/store.ts';
import { mailFolder as copiesIn } from '../mail/transports/mail-folder.ts';
import type { CommandContext } from './command.ts';

const DATABASE_IS_READ = `Not complete: another program is reading the database, so its files still contain the address.
Close it (an export, a backup, an SQLite shell) and run this command again.
`;
const DELIVERY_IN_PROGRESS = `Not complete: the welcome email is being sent right now, and a copy may be written to the mail folder.
Run this command again in a few minutes.
`;

/**
 * Erases the person with this normalized address and prints what was erased. `mailFolder` contains the copies of sent
 * emails, if any are written. Returns 1 if something may remain, and prints what to do about it.
 */
export async function forget(
  email: string,
  store: Store,
  mailFolder: string | null,
  { stdout, stderr }: CommandContext,
): Promise<number> {
  const copies = mailFolder === null ? null : copiesIn(mailFolder);
  const forgotten = await forgetPerson({ store, email, copies, evenWhileSending: true });
  if (forgotten === null) return 1;
  const { erased, files, traceless, isDelivered } = forgotten;
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
    ...(erased?.session ? ['its session'] : []),
  ];
  return `Erased ${parts.join(', ')}. Earlier backups still contain them.\n`;
}
