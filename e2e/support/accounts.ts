import { hookPayload, newHookSecret, signHook } from '@early-access-kit/testkit/supabase-hook';
import { inviteClient } from 'early-access-server/client';
import { supabaseHook } from 'early-access-server/supabase';

/** Signs up for a product that only accepts people from the list. Returns why that was rejected; null: it succeeded. */
export type CreateAccount = (email: string) => Promise<string | null>;

interface Failed {
  readonly error?: { readonly message: string };
}

/** A product that asks the list's server before it creates an account, with the payload that Supabase documents. */
export function supabaseAccounts(url: string, key: string): CreateAccount {
  const secret = newHookSecret();
  return async (email) => {
    const hook = supabaseHook({ client: inviteClient({ url, key }), secret });
    const response = await hook(signHook(JSON.stringify(hookPayload({ email })), { secrets: [secret] }));
    const { error }: Failed = await response.json();
    return error?.message ?? null;
  };
}

/** Firebase Authentication, which calls the function before it creates an account. */
export function firebaseAccounts(emulator: string): CreateAccount {
  return async (email) => {
    const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse' }),
    });
    const { error }: Failed = await response.json();
    return error?.message ?? null;
  };
}
