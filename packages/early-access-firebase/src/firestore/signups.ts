import { ATTRIBUTION_FIELDS, type StoredSignup } from 'early-access-kit/internal';
import { storedFields } from 'early-access-server/internal';
import { type DocumentData, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { pages } from './database.ts';
import { COLLECTIONS } from './documents.ts';

const PAGE = 1_000;

/** Yields every signup, oldest first. One document read is billed per signup. */
export async function* readSignups(firestore: Firestore): AsyncGenerator<StoredSignup, void, void> {
  for await (const page of pages(firestore.collection(COLLECTIONS.signups).orderBy('created_at'), PAGE)) {
    yield* page.map((document) => toSignup(document.data()));
  }
}

export function toSignup(data: DocumentData): StoredSignup {
  // Null for any other type, so that one such document does not make the whole list unreadable.
  const text = (field: string): string | null => {
    const value: unknown = data[field];
    return typeof value === 'string' ? value : null;
  };
  const attribution = ATTRIBUTION_FIELDS.flatMap((field) => {
    const value = text(field);
    return value === null ? [] : [[field, value]];
  });
  const fields = storedFields(data.fields);
  return {
    email: text('email') ?? '',
    session_id: text('session_id'),
    source: text('source') ?? '',
    referrer: text('referrer'),
    submission_id: text('submission_id') ?? '',
    created_at: signupTime(data),
    ...Object.fromEntries(attribution),
    ...(fields && { fields }),
  };
}

export function signupTime(signup: DocumentData): number {
  const createdAt: unknown = signup.created_at;
  return createdAt instanceof Timestamp ? createdAt.toMillis() : 0;
}
