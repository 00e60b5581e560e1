import { hookPayload, newHookSecret, signHook } from '@early-access-kit/testkit/supabase-hook';
import { inviteClient } from 'early-access-server/client';
import { supabaseHook } from 'early-access-server/supabase';
import type { Backend } from './backend.ts';

/** A product that asks the list of a server before it creates an account, with the payload that Supabase documents. */
export function supabaseAccounts(url: string, key: string): Backend['createAccount'] {
  const secret = newHookSecret();
  const hook = supabaseHook({ client: inviteClient({ url, key }), secret });
  return async (email) => {
    const response = await hook(signHook(JSON.stringify(hookPayload({ email })), { secrets: [secret] }));
    const { error }: { error?: { message: string } } = await response.json();
    return error?.message ?? null;
  };
}
