import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import type { HumanCheck } from '../human/human-check.ts';
import { normalizeMailbox } from '../lifecycle/mailbox.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { shareNetwork } from '../share/share-link.ts';
import { ADDRESS_PROBLEMS, type AddressProblem, type CheckAddress } from './address-check.ts';
import { isListClosed, type ListClosed } from './list-status.ts';

/** What a request said. */
export interface SignupRequest {
  /** Valid: `readSignup` or `readSignupForm` has parsed it. */
  readonly signup: EmailSignup;
  /** The primary tag of the visitor's language; null if it is not known. */
  readonly language: string | null;
  readonly clientAddress: string | undefined;
  /** The token of the human check as it was sent. Null: a form without scripts, which has none. */
  readonly human: { readonly token: unknown } | null;
}

/** What a signup has to pass, and what stores it. */
export interface SignupSteps {
  /** Null: nothing shows that a person signs up. */
  readonly checkHuman: HumanCheck | null;
  readonly limiter: Pick<RateLimiter<'signupsPerMailbox'>, 'take'>;
  readonly checkAddress: CheckAddress;
  /** Stores a signup that has passed. `mustConfirm`: whatever the list's setting is. */
  readonly store: (signup: EmailSignup, about: StoredAbout) => Promise<SignupResult | ListClosed>;
}

interface StoredAbout {
  readonly language: string | null;
  readonly mustConfirm: boolean;
  /** See `shareNetwork`. */
  readonly network: string | null;
}

/** What became of a signup. */
type SignupOutcome = SignupResult | AddressProblem | ListClosed;

/**
 * The steps of every signup that a visitor sends, in their order: those that cost least come first, and only a person's
 * signup counts for a mailbox. A form without scripts has no token, so its person confirms the address instead. Rejects
 * with a `StorageError` if a limit, the human check or the store refuses. An `AddressProblem`: the settings do not
 * accept the address. A `ListClosed`: the list accepts nobody now. Neither stores anything.
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
