import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { signupId, transact } from '../database.ts';
import { completeSignup, type EnrolmentOptions } from './enrolment.ts';
import { personRefs } from './person.ts';

/**
 * Creates the document that the browser's adapter creates, enrolled, and queues the first email with it. Replaces that of a person who has
 * unsubscribed. `signup` is valid and normalised.
 */
export function createSignup(
  firestore: Firestore,
  signup: EmailSignup,
  options: EnrolmentOptions,
): Promise<SignupResult> {
  const id = signupId(signup.email);
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(firestore, async (tx) => {
    const documents = await tx.getAll(ref, left);
    const [current, former] = documents;
    const stored = current?.exists ? current : former;
    if (stored?.exists && stored.get('submission_id') === signup.submission_id) return 'created';
    if (current?.exists) return 'duplicate';
    const fields = await completeSignup(tx, documents, id, options);
    tx.create(ref, { ...signup, created_at: Timestamp.fromMillis(options.now), ...fields });
    return 'created';
  });
}
