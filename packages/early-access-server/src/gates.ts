import type { InviteFailure, InviteState } from './client.ts';

type Refusal = Exclude<InviteState, 'valid'> | InviteFailure['result'];

/** Why nobody gets an account without an invitation: a code for programs, and a sentence for the person. */
export const REFUSALS = {
  used: { code: 'INVITE_USED', message: 'This invitation was used already. Sign in instead.' },
  expired: { code: 'INVITE_EXPIRED', message: 'This invitation has expired.' },
  gone: { code: 'INVITE_REQUIRED', message: 'You need an invitation to sign up.' },
  unknown: { code: 'INVITE_REQUIRED', message: 'You need an invitation to sign up.' },
  failed: { code: 'INVITE_UNCHECKED', message: 'Your invitation could not be checked. Please try again in a minute.' },
} as const satisfies Record<Refusal, { readonly code: string; readonly message: string }>;

/** Supabase gives up after five seconds and Firebase after seven, with a sentence that helps nobody. */
const DEADLINE_MS = 4_000;

/** `failed` if it takes too long. What arrives later is dropped: a person who is admitted by then is so again. */
export async function inTime<T>(asked: Promise<T>): Promise<T | { readonly result: 'failed' }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ readonly result: 'failed' }>((resolve) => {
    timer = setTimeout(() => resolve({ result: 'failed' }), DEADLINE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
