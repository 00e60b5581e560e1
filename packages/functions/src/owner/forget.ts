import { mailboxKey } from '@early-access-kit/backend';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { COLLECTIONS } from '../collections.ts';
import { signupId } from '../signups/signup-id.ts';
import { type Command, UsageError } from './command.ts';

const USAGE = 'usage: forget <email>';

/**
 * Erases a person: the sign-up, its mail, the record of their mailbox and the visit it was made in. A queued mail is not sent any more. The visitor's record
 * stays: equal devices share it, and it says nothing about a person.
 */
export const forget: Command = async ({ firestore, args: [email, ...more], stdout }) => {
  if (email === undefined || more.length > 0) throw new UsageError(USAGE);
  if (!isValidEmail(email)) throw new UsageError(`${USAGE}, and that is no email address`);
  const id = signupId(normalizeEmail(email));
  const signup = firestore.collection(COLLECTIONS.signups).doc(id);
  const mail = firestore.collection(COLLECTIONS.mails).doc(id);
  const mailbox = firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(normalizeEmail(email)));
  const erased = await firestore.runTransaction(async (transaction) => {
    const [keptSignup, keptMail] = await transaction.getAll(signup, mail);
    const sessionId: unknown = keptSignup?.get('session_id');
    const session =
      typeof sessionId === 'string' ? firestore.collection(COLLECTIONS.sessions).doc(sessionId) : undefined;
    const visit = session === undefined ? false : (await transaction.get(session)).exists;
    transaction.delete(signup).delete(mail).delete(mailbox);
    if (session !== undefined) transaction.delete(session);
    return { person: keptSignup?.exists === true || keptMail?.exists === true, visit };
  });
  stdout.write(
    erased.person
      ? `Erased the sign-up, its mail${erased.visit ? ', the visit it was made in' : ''}. Backups made before still hold them.\n`
      : 'Nothing is kept about this address.\n',
  );
  return 0;
};
