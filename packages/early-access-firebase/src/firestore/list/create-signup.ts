import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { signupResult } from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { PATIENT, signupId, transact } from '../database.ts';
import { type EnrolmentOptions, prepareEnrolment } from './enrolment.ts';
import { personRefs, storedState } from './person.ts';

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
  return transact(
    firestore,
    async (transaction) => {
      const [current, former] = await transaction.getAll(ref, left);
      const stored = current?.exists ? current : former;
      if (stored?.exists && stored.get('submission_id') === signup.submission_id) {
        return signupResult(storedState(stored) ?? 'subscribed');
      }
      if (current?.exists) return 'duplicate';
      const { fields, complete } = await prepareEnrolment(firestore, transaction, { id, former }, options);
      transaction.create(ref, { ...signup, created_at: Timestamp.fromMillis(options.now), ...fields });
      complete();
      return signupResult(fields.state);
    },
    PATIENT,
  );
}
