import { type Erased, type Log, mailboxKey, sha256 } from 'early-access-server/stores';
import { type DocumentSnapshot, type Firestore, Timestamp, type Transaction } from 'firebase-admin/firestore';
import { prepareChanges } from './analytics/archive.ts';
import { isCounted, sessionRow, signupRow } from './analytics/documents.ts';
import { documentsNamed, PATIENT, RETENTION_MS, signupId, transact } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { textOrNull } from './fields.ts';
import { personRefs, type StoredPerson, toStoredPerson } from './list/person.ts';
import { findTokens } from './list/tokens.ts';
import { findMessages } from './mail/message-document.ts';
import { prepareRecord, prepareRemoval } from './webhooks/event-recorder.ts';

/**
 * Erases the signup of a normalized address, before or after the person unsubscribed, with their messages, their links, its session and the
 * archived rows of both. An open page cannot store that session again. The record of their mailbox is deleted unless it still counts; then
 * a TTL policy deletes it later. The visitor's record, which identical devices share, is reset to the latest remaining session. Returns null
 * if nothing was stored, or if `only` returns false for the person.
 */
export function erasePerson(
  firestore: Firestore,
  email: string,
  now: number,
  log: Log,
  only: ((person: StoredPerson) => boolean) | null = null,
): Promise<Erased | null> {
  const id = signupId(email);
  const signups = Object.values(personRefs(firestore, id));
  const mailbox = firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(email));
  const erasedSessions = firestore.collection(COLLECTIONS.erasedSessions);
  return transact(
    firestore,
    async (transaction) => {
      const stored = (await transaction.getAll(...signups)).filter(({ exists }) => exists);
      const person = toStoredPerson(stored[0]);
      if (only !== null && (person === null || !only(person))) return null;
      const messages = await findMessages(firestore, transaction, id);
      const tokens = await findTokens(firestore, transaction, id);
      // Nobody knows a person who has no public id yet.
      const people = [...new Set(stored.flatMap((signup) => textOrNull(signup, 'person_id') ?? []))];
      const mailboxExpiry: unknown = (await transaction.get(mailbox)).get('expires_at');
      const removeDeliveries = await Promise.all(people.map((id) => prepareRemoval(firestore, transaction, id)));
      const record = people.length === 0 ? () => {} : await prepareRecord(firestore, transaction, 'person.erased');
      const sessionIds = stored.map((signup): unknown => signup.get('session_id'));
      const sessions = documentsNamed(firestore, COLLECTIONS.sessions, sessionIds, log);
      const found = sessions.length === 0 ? [] : (await transaction.getAll(...sessions)).filter(({ exists }) => exists);
      const rows = [
        ...stored
          .map((signup) => signup.data() ?? {})
          .filter(isCounted)
          .map((signup) => signupRow(signup)),
        ...found.map((session) => sessionRow(session.data() ?? {})),
      ];
      const removals = rows.map((row) => ({ row, replacement: null }));
      const removeVisits = await prepareVisitors(firestore, transaction, found, log);
      const removeFromArchive = await prepareChanges(firestore, transaction, removals);
      removeFromArchive();
      removeVisits();
      const expires_at = Timestamp.fromMillis(now + RETENTION_MS);
      for (const { id } of sessions) transaction.set(erasedSessions.doc(sha256(id)), { expires_at });
      for (const { ref } of [...stored, ...messages, ...tokens, ...found]) transaction.delete(ref);
      if (!(mailboxExpiry instanceof Timestamp && mailboxExpiry.toMillis() > now)) transaction.delete(mailbox);
      for (const remove of removeDeliveries) remove();
      for (const id of people) record(id, now);
      if (stored.length + messages.length === 0) return null;
      return {
        messageKeys: messages.map(({ message }) => message.message_key),
        sessionId: sessions[0]?.id ?? null,
        session: found.length > 0,
      };
    },
    PATIENT,
  );
}

/** Returns a function that takes these sessions out of the records of their visitors. */
async function prepareVisitors(
  firestore: Firestore,
  transaction: Transaction,
  erased: readonly DocumentSnapshot[],
  log: Log,
): Promise<() => void> {
  const ids = erased.map((session): unknown => session.get('visitor_id'));
  const changes = await Promise.all(
    documentsNamed(firestore, COLLECTIONS.visitors, ids, log).map(async (visitor) => {
      const latest = firestore
        .collection(COLLECTIONS.sessions)
        .where('visitor_id', '==', visitor.id)
        .orderBy('session_start', 'desc')
        .limit(erased.length + 1);
      const { docs } = await transaction.get(latest);
      const remaining = docs.find((session) => erased.every(({ id }) => id !== session.id));
      const lastSeen: unknown = remaining?.get('session_start');
      return { visitor, lastSeen, isStored: (await transaction.get(visitor)).exists };
    }),
  );
  return () => {
    for (const { visitor, lastSeen, isStored } of changes) {
      if (lastSeen === undefined) transaction.delete(visitor);
      else if (isStored) transaction.update(visitor, { last_seen: lastSeen });
    }
  };
}
