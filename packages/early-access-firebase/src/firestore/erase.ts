import { type Erased, type Log, sha256 } from 'early-access-server/internal';
import { type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { changeRows } from './analytics/archive.ts';
import { isCounted, sessionRow, signupRow } from './analytics/documents.ts';
import { keepResults } from './campaigns/results.ts';
import { documentsNamed, RETENTION_MS, signupId, type Transaction, transact } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { text, textOrNull, timestamp } from './fields.ts';
import { requestRef, toRequest } from './list/opening-requests.ts';
import { personRefs, type StoredPerson, toStoredPerson } from './list/person.ts';
import { findTokens } from './list/tokens.ts';
import { attemptsRef } from './mailbox.ts';
import { findMessages, type MessageDocument } from './message-document.ts';
import { eraseShares } from './share/credit.ts';
import { recordEvent, removeDeliveries } from './webhooks/event-recorder.ts';

/**
 * Erases everything about a normalized address: its signup (even after the person unsubscribed), its request for the
 * opening, its messages, its links, its session, and the archived rows of both. An open page cannot store that session
 * again. The attempts to the mailbox are deleted unless they still count; then a TTL policy deletes them later. The
 * visitor's record, which identical devices share, is reset to the latest remaining session. Returns null if nothing
 * was stored, or if `only` returns false for the person with their messages.
 */
export async function erasePerson(
  firestore: Firestore,
  email: string,
  now: number,
  log: Log,
  only: ((person: StoredPerson, messages: readonly MessageDocument[]) => boolean) | null = null,
): Promise<Erased | null> {
  const id = signupId(email);
  const signups = Object.values(personRefs(firestore, id));
  const erasedSessions = firestore.collection(COLLECTIONS.erasedSessions);
  const erase = async (tx: Transaction) => {
    const stored = (await tx.getAll(...signups)).filter(({ exists }) => exists);
    const request = await tx.get(requestRef(tx, id));
    const person = toStoredPerson(stored[0]);
    const messages = await findMessages(tx, id);
    const isKept = (allowed: NonNullable<typeof only>) =>
      person === null ||
      !allowed(
        person,
        messages.map(({ message }) => message),
      );
    if (only !== null && isKept(only)) return null;
    for (const signup of stored) if ((await eraseShares(tx, signup)) === 'partial') return 'partial';
    await keepResults(tx, messages);
    // There are few corrections, and their address has no index.
    const corrections = await tx.find(tx.collection(COLLECTIONS.mails).where('kind', '==', 'correction'));
    const ofOthers = corrections.filter((document) => document.get('recipient') === email);
    const tokens = await findTokens(tx, id);
    const attempts = await tx.get(attemptsRef(tx, email));
    const areOver = attempts.exists && timestamp(attempts, 'expires_at').toMillis() <= now;
    // People without a public id have no data elsewhere.
    const people = new Set(stored.flatMap((signup) => textOrNull(signup, 'person_id') ?? []));
    for (const publicId of people) {
      await removeDeliveries(tx, publicId);
      await recordEvent(tx, 'person.erased', publicId, now);
    }
    const sessionIds = [
      ...stored.map((signup): unknown => signup.get('session_id')),
      ...(request.exists ? [toRequest(request).signup.session_id] : []),
    ];
    const sessions = documentsNamed(firestore, COLLECTIONS.sessions, sessionIds, log);
    const found = (await tx.getAll(...sessions)).filter(({ exists }) => exists);
    await removeVisits(tx, found, log);
    const rows = [
      ...stored
        .map((signup) => signup.data() ?? {})
        .filter(isCounted)
        .map((signup) => signupRow(signup)),
      ...found.map((session) => sessionRow(session.data() ?? {})),
    ];
    await changeRows(
      tx,
      rows.map((row) => ({ row, replacement: null })),
    );
    const expires_at = Timestamp.fromMillis(now + RETENTION_MS);
    for (const { id } of sessions) tx.set(erasedSessions.doc(sha256(id)), { expires_at });
    for (const { ref } of [
      ...stored,
      ...messages,
      ...ofOthers,
      ...tokens,
      ...found,
      ...(request.exists ? [request] : []),
      ...(areOver ? [attempts] : []),
    ])
      tx.delete(ref);
    if (stored.length + messages.length + ofOthers.length === 0 && !request.exists) return null;
    return {
      messageKeys: [
        ...messages.map(({ message }) => message.message_key),
        ...ofOthers.map((document) => text(document, 'message_key')),
      ],
      newEmail: messages.map(({ message }) => message.recipient).find((recipient) => recipient !== null) ?? null,
      sessionId: sessions[0]?.id ?? null,
      session: found.length > 0,
    };
  };
  for (;;) {
    const result = await transact(firestore, erase);
    if (result !== 'partial') return result;
  }
}

/** Updates the visitors of erased sessions. */
async function removeVisits(tx: Transaction, erased: readonly DocumentSnapshot[], log: Log): Promise<void> {
  const ids = erased.map((session): unknown => session.get('visitor_id'));
  for (const visitor of documentsNamed(tx, COLLECTIONS.visitors, ids, log)) {
    const latest = tx
      .collection(COLLECTIONS.sessions)
      .where('visitor_id', '==', visitor.id)
      .orderBy('session_start', 'desc')
      .limit(erased.length + 1);
    const remaining = (await tx.find(latest)).find((session) => erased.every(({ id }) => id !== session.id));
    if (remaining === undefined) tx.delete(visitor);
    else if ((await tx.get(visitor)).exists) tx.update(visitor, { last_seen: remaining.get('session_start') });
  }
}
