import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { type Command, UsageError } from './command.ts';

const USAGE = 'usage: forget <email>';

/** Erases a person: the signup, its message and the session it was made in. */
export const forget: Command = async ({ store, args: [email, ...more], stdout }) => {
  if (email === undefined || more.length > 0) throw new UsageError(USAGE);
  if (!isValidEmail(email)) throw new UsageError(`${USAGE}, and that is no email address`);
  const { erased } = await store.erase(normalizeEmail(email));
  stdout.write(
    erased
      ? `Erased the sign-up, its mail${erased.session ? ', the visit it was made in' : ''}. Backups made before still hold them.\n`
      : 'Nothing is kept about this address.\n',
  );
  return 0;
};
