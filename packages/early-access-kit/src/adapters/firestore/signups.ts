import type { SignupResult, StorageAdapter } from '../../core/adapter.ts';
import { normalizeEmail } from '../../core/email.ts';
import { retryOnce, StorageError } from '../../core/errors.ts';
import type { EmailSignup } from '../../core/records.ts';
import type { Calls, Connection } from './calls.ts';
import { loadOnDemand } from './load-on-demand.ts';
import { toFields } from './values.ts';

/** Stores one record per address, because the document id is derived from it: `email_signups/{sha256 of the normalized address}`. */
export function signupMethods(
  connection: Connection,
  stored: SignupResult,
): Pick<StorageAdapter, 'createSignup' | 'readInbox'> {
  const { name, attempt } = connection;

  async function create(calls: Calls, signup: EmailSignup): Promise<SignupResult> {
    const email = normalizeEmail(signup.email);
    const document = name('email_signups', await sha256(email));
    const created = await calls.commit({
      update: { name: document, fields: toFields({ ...signup, email }) },
      updateTransforms: [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }],
      currentDocument: { exists: false },
    });
    return created
      ? stored
      : (await loadOnDemand()).resultOfRefusedSignup(calls, connection, { signup, document, stored });
  }

  return {
    readInbox: async (...asked) => (await loadOnDemand()).readInbox(...asked),
    createSignup: (signup) => retryOnce(() => attempt((calls) => create(calls, signup))),
  };
}

/** Returns lower-case hexadecimal. Browsers only provide `crypto.subtle` on HTTPS and localhost. */
async function sha256(text: string): Promise<string> {
  if (!crypto.subtle) throw new StorageError('unavailable', 'signups need https');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
