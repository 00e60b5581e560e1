import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import type { HumanCheck } from '../human/human-check.ts';
import { normalizeMailbox } from '../lifecycle/mailbox.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { shareNetwork } from '../share/share-link.ts';
import { ADDRESS_PROBLEMS, type AddressProblem, type CheckAddress } from './address-check.ts';
import { isListClosed, type ListClosed } from './list-status.ts';

export interface SignupRequest {
  /** Validated by `readSignup` or `readSignupForm`. */
  readonly signup: EmailSignup;
  /** The primary subtag of the visitor's language, or null if unknown. */
  readonly language: string | null;
  readonly clientAddress: string | undefined;
  /** The human check's token as it was sent. Null: a form without scripts, which has no token. */
  readonly human: { readonly token: unknown } | null;
}

/** The checks that a signup has to pass, and the function that stores it. */
export interface SignupSteps {
  /** Null: there is no human check. */
  readonly checkHuman: HumanCheck | null;
  readonly limiter: Pick<RateLimiter<'signupsPerMailbox'>, 'take'>;
  readonly checkAddress: CheckAddress;
  /** Stores a signup that passed all checks. `mustConfirm` overrides the list's setting. */
  readonly store: (signup: EmailSignup, about: StoredAbout) => Promise<SignupResult | ListClosed>;
}

interface StoredAbout {
  readonly language: string | null;
  readonly mustConfirm: boolean;
  /** See `shareNetwork`. */
  readonly network: string | null;
}

type SignupOutcome = SignupResult | AddressProblem | ListClosed;

/**
 * Runs the steps of a visitor's signup in order. Cheap checks come first, and only signups by humans count toward the
 * mailbox's limit. A form without scripts has no token, so its visitor has to confirm the address instead. Rejects with
 * a `StorageError` if a limit, the human check or the store rejects the signup. Returns an `AddressProblem` if the
 * settings do not accept the address, and a `ListClosed` if the list accepts nobody now; in both cases nothing is
 * stored.
 */
export async function signUp(
  { signup, language, clientAddress, human }: SignupRequest,
  { checkHuman, limiter, checkAddress, store }: SignupSteps,
): Promise<SignupOutcome> {
  const { email, submission_id: submissionId } = signup;
  if (human !== null) await checkHuman?.(human.token, { email, submissionId, clientAddress });
  await limiter.take([{ limit: 'signupsPerMailbox', key: normalizeMailbox(email) }]);
  const mustConfirm = human === null && checkHuman !== null;
  const network = shareNetwork(signup, clientAddress);
  return (await checkAddress(email)) ?? store(signup, { language, mustConfirm, network });
}

export function isAddressProblem(outcome: SignupOutcome): outcome is AddressProblem {
  return !isListClosed(outcome) && Object.hasOwn(ADDRESS_PROBLEMS, outcome);
}
