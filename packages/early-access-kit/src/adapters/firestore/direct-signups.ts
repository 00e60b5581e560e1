import type { SignupResult } from '../../core/adapter.ts';
import { normalizeEmail } from '../../core/email.ts';
import { isStorageError, StorageError } from '../../core/errors.ts';
import type { EmailSignup } from '../../core/records.ts';
import { parseSignup } from '../../core/validation.ts';
import type { Calls, Connection } from './calls.ts';
import { toFields } from './values.ts';

/**
 * Stores one record per address, because the document id is derived from it:
 * `email_signups/{sha256 of the normalized address}`. Returns `stored` for a new one.
 */
export async function createDirectly(
  calls: Calls,
  connection: Connection,
  signup: EmailSignup,
  stored: SignupResult,
): Promise<SignupResult> {
  const email = normalizeEmail(signup.email);
  const document = connection.name('email_signups', await sha256(email));
  const created = await calls.commit({
    update: { name: document, fields: toFields({ ...signup, email }) },
    updateTransforms: [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }],
    currentDocument: { exists: false },
  });
  return created ? stored : resultOfRefusedSignup(calls, connection, { signup, document, stored });
}

/**
 * Returns the result of a signup that the rules denied. Either the address already exists or everything is denied; only
 * a read that must be allowed distinguishes the two.
 */
async function resultOfRefusedSignup(
  calls: Calls,
  { name }: Connection,
  { signup, document, stored }: { signup: EmailSignup; document: string; stored: SignupResult },
): Promise<SignupResult> {
  const [isOwnSubmission, rulesAreDeployed, isFree] = await Promise.all([
    // The rules allow this read only to the submission that created the record.
    isMissing(calls, `${document}/submissions/${encodeURIComponent(signup.submission_id)}`),
    // A signup that cannot exist, because ids are hashes.
    isMissing(calls, name('email_signups', 'nobody')),
    isMissing(calls, document),
  ]);
  if (isOwnSubmission) return stored;
  const { fields, human_token, ...rest } = signup;
  if (human_token !== undefined)
    throw new StorageError('forbidden', 'with a human check, signups go through the function, without directSignups');
  if (rulesAreDeployed && !isFree) return 'duplicate';
  throw refusal(() => {
    parseSignup(rest);
    // Only the rules know the declared fields.
    if (fields && rulesAreDeployed) throw new StorageError('invalid', 'fields: not as declared in firestore.rules');
  });
}

/** Returns lower-case hexadecimal. Browsers only provide `crypto.subtle` on HTTPS and localhost. */
async function sha256(text: string): Promise<string> {
  if (!crypto.subtle) throw new StorageError('unavailable', 'signups need https');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns whether the rules allow reading this document, which never exists if they do. */
export async function isMissing(calls: Calls, document: string): Promise<boolean> {
  const [read] =
    (await calls.send<{ missing?: string; readTime?: string }[]>('batchGet', { documents: [document] })) ?? [];
  return read?.missing !== undefined;
}

/** Returns `invalid` if a check fails that the rules also make, otherwise `forbidden`. */
export function refusal(check: () => void): StorageError {
  try {
    check();
  } catch (error) {
    if (isStorageError(error)) return error;
  }
  return new StorageError('forbidden', 'check firestore.rules, App Check and the API key');
}
