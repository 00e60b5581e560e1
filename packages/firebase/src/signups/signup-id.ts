import { createHash } from 'node:crypto';

/** The id of an address's sign-up, as the adapter makes it and `firestore.rules` demand it. The address is normalised. */
export function signupId(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
