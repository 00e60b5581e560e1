import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { FieldValue, type Firestore } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { ALREADY_EXISTS, hasStatus } from '../grpc-status.ts';
import { signupId } from './signup-id.ts';

/**
 * Keeps a sign-up as the adapter does: EXACTLY ONE record per address, never altered. `signup` is valid and normalised.
 * The client repeats a create whose answer got lost and is then told of its own record: the `submission_id` says whose it is.
 */
export async function createSignup(firestore: Firestore, signup: EmailSignup): Promise<SignupResult> {
  const ref = firestore.collection(COLLECTIONS.signups).doc(signupId(signup.email));
  try {
    await ref.create({ ...signup, created_at: FieldValue.serverTimestamp() });
    return 'created';
  } catch (error) {
    if (!hasStatus(error, ALREADY_EXISTS)) throw error;
    const kept = await ref.get();
    return kept.get('submission_id') === signup.submission_id ? 'created' : 'duplicate';
  }
}
