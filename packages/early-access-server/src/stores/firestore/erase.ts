import { domainToUnicode } from 'node:url';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { mailboxKey } from '../../app/mail/mail-quota.ts';
import { sha256 } from '../../app/sha256.ts';
import type { Erased } from '../store.ts';
import { prepareChanges } from './analytics/archive.ts';
import { sessionRow, signupRow } from './analytics/documents.ts';
import { COLLECTIONS, RETENTION_MS, signupId } from './database.ts';

/**
 * Erases the signup of a normalised address, its message, the record of its mailbox, the session it was made in and the archived rows of
 * both, and makes sure that a page that is still open does not store that session again. The visitor's record stays: identical devices share it, and it says
 * nothing about a person.
 */
export function erasePerson(firestore: Firestore, email: string, now: number): Promise<Erased | null> {
  const documentIn = (collection: string) => (id: string) => firestore.collection(collection).doc(id);
  const ids = spellings(email).map(signupId);
  const signups = ids.map(documentIn(COLLECTIONS.signups));
  const messages = ids.map(documentIn(COLLECTIONS.mails));
  const mailbox = documentIn(COLLECTIONS.mailboxes)(mailboxKey(email));
  return firestore.runTransaction(async (transaction) => {
    const stored = await transaction.getAll(...signups, ...messages);
    const texts = (field: string) =>
      stored.map((document): unknown => document.get(field)).filter((value) => typeof value === 'string');
    const sessionIds = texts('session_id');
    const sessions = sessionIds.map(documentIn(COLLECTIONS.sessions));
    const found = sessions.length === 0 ? [] : await transaction.getAll(...sessions);
    const rows = [
      ...stored
        .slice(0, signups.length)
        .flatMap((signup) => signup.data() ?? [])
        .map((signup) => signupRow(signup)),
      ...found.flatMap((session) => session.data() ?? []).map(sessionRow),
    ];
    const removals = rows.map((row) => ({ row, replacement: null }));
    const removeFromArchive = await prepareChanges(firestore, transaction, removals);
    removeFromArchive();
    const expires_at = Timestamp.fromMillis(now + RETENTION_MS);
    for (const id of sessionIds) transaction.set(documentIn(COLLECTIONS.erasedSessions)(sha256(id)), { expires_at });
    for (const document of [...signups, ...messages, ...sessions, mailbox]) transaction.delete(document);
    if (!stored.some(({ exists }) => exists)) return null;
    return {
      messageKeys: texts('message_key'),
      sessionId: sessionIds[0] ?? null,
      session: found.some(({ exists }) => exists),
    };
  });
}

/** The normal form, and those under which the same mailbox may have been stored before domains were normalised. */
function spellings(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  const domains = new Set([address.slice(at), domainToUnicode(address.slice(at))]);
  return [...domains].flatMap((domain) => [address.slice(0, at) + domain, `${address.slice(0, at)}${domain}.`]);
}
