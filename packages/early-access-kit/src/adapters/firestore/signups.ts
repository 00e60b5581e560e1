import type { SignupResult, StorageAdapter } from '../../core/adapter.ts';
import { normalizeEmail } from '../../core/email.ts';
import { StorageError } from '../../core/errors.ts';
import type { EmailSignup } from '../../core/records.ts';
import type { Calls, Connection } from './connection.ts';
import { toRefusal } from './failure.ts';
import { toFields } from './values.ts';

/** One record per address, because the address gives the record its id: `email_signups/{sha256 of the normalised address}`. */
export function signupMethods({ name, attempt }: Connection): Pick<StorageAdapter, 'createSignup'> {
  async function create({ commit, readMissing }: Calls, signup: EmailSignup): Promise<SignupResult> {
    const email = normalizeEmail(signup.email);
    const document = name('email_signups', await sha256(email));
    const created = await commit({
      update: { name: document, fields: toFields({ ...signup, email }) },
      updateTransforms: [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }],
      currentDocument: { exists: false },
    });
    if (created) return 'created';

    // Either the address is there or everything is refused: only a read that has to be allowed tells these two apart.
    const [repeated, control, missing] = await Promise.all([
      // Allowed only for the submission that the record came from.
      readMissing(`${document}/submissions/${encodeURIComponent(signup.submission_id)}`),
      readMissing(),
      readMissing(document),
    ]);
    if (repeated) return 'created';
    if (control && !missing) return 'duplicate';
    throw await toRefusal(({ parseSignup }) => parseSignup(signup));
  }

  return {
    async createSignup(signup) {
      const once = () => attempt((calls) => create(calls, signup));
      try {
        return await once();
      } catch (error) {
        // The sign-up may have been kept and only its answer lost: the same submission again tells.
        if (error instanceof StorageError && error.code === 'unavailable') return once();
        throw error;
      }
    },
  };
}

/** In lower-case hexadecimal. Browsers have `crypto.subtle` on https and on localhost only. */
async function sha256(text: string): Promise<string> {
  if (!crypto.subtle) throw new StorageError('unavailable', 'sign-ups need a page on https');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
