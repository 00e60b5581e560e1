import { createHash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { mailboxKey } from 'early-access-server/app';
import { COLLECTIONS } from '../collections.ts';
import { signupId } from '../signups/signup-id.ts';
import { type Command, UsageError } from './command.ts';

const USAGE = 'usage: forget <email>';
/** An open page sends updates for as long as it is open. The TTL policy deletes the hash after this. */
const HASH_KEPT_MS = 395 * 86_400_000;

/**
 * Erases a person, and makes sure that a page that is still open does not store their session again: the sign-up, its mail, the record of their mailbox and the visit it was made in. A queued mail is not sent any more. The visitor's record
 * stays: equal devices share it, and it says nothing about a person.
 */
export const forget: Command = async ({ firestore, args: [email, ...more], stdout }) => {
  if (email === undefined || more.length > 0) throw new UsageError(USAGE);
  if (!isValidEmail(email)) throw new UsageError(`${USAGE}, and that is no email address`);
  const address = normalizeEmail(email);
  const ids = spellings(address).map(signupId);
  const signups = ids.map((id) => firestore.collection(COLLECTIONS.signups).doc(id));
  const mails = ids.map((id) => firestore.collection(COLLECTIONS.mails).doc(id));
  const mailbox = firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(address));
  const erased = await firestore.runTransaction(async (transaction) => {
    const kept = await transaction.getAll(...signups, ...mails);
    const sessions = kept
      .map((document): unknown => document.get('session_id'))
      .filter((id) => typeof id === 'string')
      .map((id) => firestore.collection(COLLECTIONS.sessions).doc(id));
    const visits = sessions.length === 0 ? [] : await transaction.getAll(...sessions);
    const expires_at = new Date(Date.now() + HASH_KEPT_MS);
    for (const { id } of sessions) {
      const hash = createHash('sha256').update(id).digest('hex');
      transaction.set(firestore.collection(COLLECTIONS.erasedSessions).doc(hash), { expires_at });
    }
    for (const document of [...signups, ...mails, ...sessions, mailbox]) transaction.delete(document);
    return { person: kept.some(({ exists }) => exists), visit: visits.some(({ exists }) => exists) };
  });
  stdout.write(
    erased.person
      ? `Erased the sign-up, its mail${erased.visit ? ', the visit it was made in' : ''}. Backups made before still hold them.\n`
      : 'Nothing is kept about this address.\n',
  );
  return 0;
};

/** The normal form, and those under which the same mailbox may have been stored before domains were normalised. */
function spellings(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  const domains = new Set([address.slice(at), domainToUnicode(address.slice(at))]);
  return [...domains].flatMap((domain) => [address.slice(0, at) + domain, `${address.slice(0, at)}${domain}.`]);
}
