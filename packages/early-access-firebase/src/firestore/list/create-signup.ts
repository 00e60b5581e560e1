import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { firstState, needsConfirmation } from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { PATIENT, signupId, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { newMessageDocument } from '../mail/message-document.ts';
import { prepareRecord } from '../webhooks/event-recorder.ts';
import { type EnrolmentOptions, firstKind, prepareReplacement } from './enrolment.ts';
import { firstFields, personRefs } from './person.ts';

/**
 * Creates the document that the browser's adapter creates, enrolled, and queues the first email with it. Replaces that of a person who has
 * unsubscribed. `signup` is valid and normalised.
 */
export function createSignup(
  firestore: Firestore,
  signup: EmailSignup,
  { confirm, now }: EnrolmentOptions,
): Promise<SignupResult> {
  const id = signupId(signup.email);
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(
    firestore,
    async (transaction) => {
      const [current, former] = await transaction.getAll(ref, left);
      const stored = current?.exists ? current : former;
      if (stored?.exists && stored.get('submission_id') === signup.submission_id) return 'created';
      if (current?.exists) return 'duplicate';
      const replaced = former?.exists ? former : null;
      const remove = replaced === null ? () => {} : await prepareReplacement(firestore, transaction, replaced);
      const record = await prepareRecord(firestore, transaction, 'signup.created');
      remove();
      const created_at = Timestamp.fromMillis(now);
      const isPending = needsConfirmation(confirm, replaced !== null);
      const fields = firstFields(firstState(isPending), { former: replaced });
      transaction.create(ref, { ...signup, created_at, ...fields });
      const message = newMessageDocument({ kind: firstKind(isPending), signup_id: id }, now);
      transaction.set(firestore.collection(COLLECTIONS.mails).doc(id), message);
      record(fields.person_id, now);
      return 'created';
    },
    PATIENT,
  );
}
