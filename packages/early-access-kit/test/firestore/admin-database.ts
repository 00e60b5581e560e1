import { deleteApp, initializeApp } from 'firebase/app';
import {
  collection,
  connectFirestoreEmulator,
  type DocumentData,
  getDocs,
  getFirestore,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase/firestore/lite';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import type { SessionRecord, StoredSignup } from '../../src/core/records.ts';
import { parseSessionStart, parseSessionUpdate, parseSignup } from '../../src/core/validation.ts';

export interface VisitorRecord {
  readonly id: string;
  readonly last_seen: number;
}

/** Reads the database with the official SDK as an admin, who bypasses the rules. Also works in browsers. */
export function adminDatabase(projectId: string, url: string, declarations: FieldDeclarations = {}) {
  const { hostname, port } = new URL(url);
  const app = initializeApp({ projectId, apiKey: 'demo-key' }, crypto.randomUUID());
  const database = getFirestore(app);
  connectFirestoreEmulator(database, hostname, Number(port), { mockUserToken: 'owner' });
  const all = async <T>(name: string, read: (document: QueryDocumentSnapshot) => T): Promise<T[]> =>
    (await getDocs(collection(database, name))).docs.map(read);

  return {
    signups: () => all('email_signups', (document) => toSignup(document, declarations)),
    sessions: () => all('sessions', toSession),
    visitors: () =>
      all('visitors', (document): VisitorRecord => ({ id: document.id, last_seen: document.get('last_seen') })),
    /** Returns the fields as stored. */
    raw: (name: string) => all(name, (document): DocumentData => document.data()),
    close: () => deleteApp(app),
  };
}

export type AdminDatabase = ReturnType<typeof adminDatabase>;

/** All fields except the time must pass `core`'s validation unchanged, so that reading does not hide a wrong value. */
function toSignup(document: QueryDocumentSnapshot, declarations: FieldDeclarations): StoredSignup {
  const { created_at, ...fields } = document.data();
  if (!(created_at instanceof Timestamp)) throw new TypeError('created_at is not a timestamp');
  return unchanged(fields, { ...parseSignup(fields, declarations), created_at: created_at.toMillis() });
}

function toSession(document: QueryDocumentSnapshot): SessionRecord {
  // The paths of views are not part of the record.
  const { is_bounce, expires_at, page_views: _, ...fields } = document.data();
  if (!(expires_at instanceof Timestamp)) throw new TypeError('expires_at is not a timestamp');
  if (typeof is_bounce !== 'boolean') throw new TypeError('is_bounce is not a boolean');
  const start = parseSessionStart({ id: document.id, ...fields });
  return unchanged(fields, { ...start, ...parseSessionUpdate(fields), is_bounce });
}

function unchanged<T extends object>(fields: DocumentData, record: T): T {
  for (const name of Object.keys(fields)) {
    if (!(name in record)) throw new TypeError(`${name} is not a field of the record`);
  }
  return record;
}
