import { randomUUID } from 'node:crypto';
import { ATTRIBUTION_FIELDS, type EmailSignup, type SignupResult, type StoredSignup } from 'early-access-kit/core';
import {
  type DocumentData,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  Timestamp,
} from 'firebase-admin/firestore';
import { ALREADY_EXISTS, COLLECTIONS, hasStatus, pages, signupId } from './database.ts';
import { newMessageDocument } from './message-document.ts';

const PAGE = 1_000;

/** Creates the document that the browser's adapter creates, and queues the welcome email with it. `signup` is valid and normalised. */
export async function createSignup(firestore: Firestore, signup: EmailSignup, now: number): Promise<SignupResult> {
  const id = signupId(signup.email);
  const ref = firestore.collection(COLLECTIONS.signups).doc(id);
  const batch = firestore.batch();
  batch.create(ref, { ...signup, created_at: FieldValue.serverTimestamp() });
  batch.set(firestore.collection(COLLECTIONS.mails).doc(id), newMessageDocument(randomUUID(), now));
  try {
    await batch.commit();
    return 'created';
  } catch (error) {
    if (!hasStatus(error, ALREADY_EXISTS)) throw error;
    const stored = await ref.get();
    return stored.get('submission_id') === signup.submission_id ? 'created' : 'duplicate';
  }
}

/** Every signup, oldest first. A document read is billed for each. */
export async function* readSignups(firestore: Firestore): AsyncGenerator<StoredSignup, void, void> {
  for await (const page of pages(firestore.collection(COLLECTIONS.signups).orderBy('created_at'), PAGE)) {
    yield* page.map(toSignup);
  }
}

export function toSignup(document: DocumentSnapshot): StoredSignup {
  const text = (field: string): string | null => {
    const value: unknown = document.get(field);
    return typeof value === 'string' ? value : null;
  };
  const attribution = ATTRIBUTION_FIELDS.flatMap((field) => {
    const value = text(field);
    return value === null ? [] : [[field, value]];
  });
  return {
    email: text('email') ?? '',
    session_id: text('session_id'),
    source: text('source') ?? '',
    referrer: text('referrer'),
    submission_id: text('submission_id') ?? '',
    created_at: signupTime(document.data() ?? {}),
    ...Object.fromEntries(attribution),
  };
}

export function signupTime(signup: DocumentData): number {
  const createdAt: unknown = signup.created_at;
  return createdAt instanceof Timestamp ? createdAt.toMillis() : 0;
}
