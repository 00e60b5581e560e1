import {
  type AdminSession,
  type AdminStore,
  type Clock,
  DEFAULT_ADMIN_SETTINGS,
  isSessionValid,
  isSignInTokenValid,
  newSession,
  SESSION_MAX_MS,
  SIGNUP_NOTICES,
  sha256,
  withLastUse,
} from 'early-access-server/internal';
import { type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import type { FirestoreAudit } from './audit.ts';
import { type Transaction, transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { integer, text, timestamp } from './fields.ts';
import { queueNotices } from './message-document.ts';

/**
 * The id of a token or session is the hash of its token. A TTL policy deletes both after they expire (`expires_at`).
 */
export function firestoreAdminStore(firestore: Firestore, clock: Clock, audit: FirestoreAudit): AdminStore {
  const tokens = firestore.collection(COLLECTIONS.adminSignInTokens);
  const sessions = firestore.collection(COLLECTIONS.adminSessions);
  /** The id is a hash, because an address may contain a slash. */
  const settingsRef = (email: string) => firestore.collection(COLLECTIONS.adminSettings).doc(sha256(email));
  const sessionById = (id: string) => sessions.where('id', '==', id).limit(1);

  return withStorageErrors({
    async addSignInToken({ hash, email, expires_at }) {
      await tokens.doc(hash).create({ email, expires_at: Timestamp.fromMillis(expires_at) });
    },
    redeemSignInToken: (hash, { hash: sessionHash, ...opened }) =>
      transact(firestore, async (tx) => {
        const now = clock();
        const token = await tx.get(tokens.doc(hash));
        if (!token.exists) return null;
        tx.delete(token.ref);
        if (!isSignInTokenValid({ expires_at: timestamp(token, 'expires_at').toMillis() }, now)) return null;
        return openSession(firestore, tx, newSession(text(token, 'email'), opened, now), sessionHash);
      }),
    takeSignInToken: (hash) =>
      transact(firestore, async (tx) => {
        const token = await tx.get(tokens.doc(hash));
        if (!token.exists) return null;
        tx.delete(token.ref);
        const expires_at = timestamp(token, 'expires_at').toMillis();
        return isSignInTokenValid({ expires_at }, clock()) ? text(token, 'email') : null;
      }),
    async findSession(hash) {
      const document = await sessions.doc(hash).get();
      const session = document.exists ? toSession(document) : null;
      return session !== null && isSessionValid(session, clock()) ? session : null;
    },
    markSessionUsed: (id) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(sessionById(id));
        if (document === undefined) return;
        tx.update(document.ref, { last_used_at: withLastUse(toSession(document), clock()).last_used_at });
      }),
    async sessions() {
      const { docs } = await sessions.orderBy('last_used_at', 'desc').get();
      return docs.map(toSession).filter((session) => isSessionValid(session, clock()));
    },
    deleteSession: (id) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(sessionById(id));
        if (document !== undefined) tx.delete(document.ref);
        return document !== undefined;
      }),
    deleteSessionsOf: (email) =>
      transact(firestore, async (tx) => {
        const [ofLinks, ofSessions] = [
          await tx.find(tokens.where('email', '==', email)),
          await tx.find(sessions.where('email', '==', email)),
        ];
        for (const { ref } of [...ofLinks, ...ofSessions]) tx.delete(ref);
        return ofSessions.length;
      }),
    addAudit: (entry) => transact(firestore, (tx) => audit.add(tx, entry)),
    audit: (limit) => audit.newest(limit),
    async settings(email) {
      const document = await settingsRef(email).get();
      const [zone, weekly]: unknown[] = [document.get('time_zone'), document.get('weekly_email')];
      const notices = SIGNUP_NOTICES.find((known) => known === document.get('signup_notices'));
      return {
        time_zone: typeof zone === 'string' ? zone : DEFAULT_ADMIN_SETTINGS.time_zone,
        weekly_email: typeof weekly === 'boolean' ? weekly : DEFAULT_ADMIN_SETTINGS.weekly_email,
        signup_notices: notices ?? DEFAULT_ADMIN_SETTINGS.signup_notices,
      };
    },
    saveSettings: (email, settings) =>
      transact(firestore, async (tx) => {
        const before = await tx.get(settingsRef(email));
        const start = noticedUntil(before) === null ? { signups_noticed_until: clock() } : {};
        tx.set(before.ref, { ...settings, ...start }, { merge: true });
      }),
    queueWeeklyEmail: (email, week, notice) =>
      transact(firestore, async (tx) => {
        const document = await tx.get(settingsRef(email));
        if (isWeeklyQueued(document, week)) return false;
        tx.set(document.ref, { weekly_claimed: week }, { merge: true });
        queueNotices(tx, [email], notice, clock());
        return true;
      }),
    isWeeklyEmailQueued: async (email, week) => isWeeklyQueued(await settingsRef(email).get(), week),
    signupsNoticedUntil: async (email) => noticedUntil(await settingsRef(email).get()),
    queueSignupNotice: (email, until, notice) =>
      transact(firestore, async (tx) => {
        const settings = await tx.get(settingsRef(email));
        if (noticedUntil(settings) !== notice.since) return false;
        tx.update(settings.ref, { signups_noticed_until: until });
        queueNotices(tx, [email], notice, clock());
        return true;
      }),
  });
}

/** Stores a new session. A TTL policy deletes it after it expires. */
export function openSession(firestore: Firestore, tx: Transaction, session: AdminSession, hash: string): AdminSession {
  const expires_at = Timestamp.fromMillis(session.created_at + SESSION_MAX_MS);
  tx.create(firestore.collection(COLLECTIONS.adminSessions).doc(hash), { ...session, expires_at });
  return session;
}

function isWeeklyQueued(settings: DocumentSnapshot, week: number): boolean {
  const queued: unknown = settings.get('weekly_claimed');
  return typeof queued === 'number' && queued >= week;
}

/** Null while signup notices are off. */
function noticedUntil(settings: DocumentSnapshot): number | null {
  const notices: unknown = settings.get('signup_notices') ?? 'off';
  return notices === 'off' ? null : integer(settings, 'signups_noticed_until');
}

function toSession(document: DocumentSnapshot): AdminSession {
  return {
    id: text(document, 'id'),
    email: text(document, 'email'),
    created_at: integer(document, 'created_at'),
    last_used_at: integer(document, 'last_used_at'),
    device: text(document, 'device'),
  };
}
