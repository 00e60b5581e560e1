import type { InviteFailure, InviteState } from './client.ts';

type Refusal = Exclude<InviteState, 'valid'> | InviteFailure['result'];

/** Why a person without an invitation gets no account: a code for programs, and a sentence for the person. */
export const REFUSALS = {
  used: { code: 'INVITE_USED', message: 'This invitation has already been used. Sign in instead.' },
  expired: { code: 'INVITE_EXPIRED', message: 'This invitation has expired.' },
  gone: { code: 'INVITE_REQUIRED', message: 'You need an invitation to sign up.' },
  unknown: { code: 'INVITE_REQUIRED', message: 'You need an invitation to sign up.' },
  failed: { code: 'INVITE_UNCHECKED', message: 'Your invitation could not be checked. Please try again in a minute.' },
} as const satisfies Record<Refusal, { readonly code: string; readonly message: string }>;

/** Supabase times out after five seconds and Firebase after seven, both with an unhelpful message. */
const DEADLINE_MS = 4_000;

/**
 * Returns `failed` after the deadline and ignores a later response. A person who was admitted anyway is admitted again
 * on the next attempt.
 */
export async function inTime<T>(asked: Promise<T>): Promise<T | { readonly result: 'failed' }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ readonly result: 'failed' }>((resolve) => {
    timer = setTimeout(() => resolve({ result: 'failed' }), DEADLINE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
