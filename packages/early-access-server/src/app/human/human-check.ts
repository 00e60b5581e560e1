import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { sha256 } from '../access/secrets.ts';
import type { Tally } from '../analytics/analytics.ts';
import type { Clock } from '../ports/clock.ts';
import type { HumanTokenStore } from '../ports/human-token-store.ts';

/** Verifies the token of a human check. Ready-made: `verifyTurnstile`, `verifyHcaptcha` and `verifyProofOfWork`. */
export interface VerifyHuman {
  /** Identifies the kind of token, so that tokens of different kinds cannot be confused. */
  readonly name: string;
  /** How long a token is valid after it was issued, in milliseconds. Used tokens are stored for this long. */
  readonly tokenLifetimeMs: number;
  /**
   * Resolves to whether the token is valid. Rejects if that cannot be determined. If a response was lost, it is called
   * again with the same submission and should return the same result. The token has at most `MAX_HUMAN_TOKEN_LENGTH`
   * characters.
   */
  verify(token: string, request: HumanRequest): Promise<boolean>;
  /**
   * Returns a canonical form if the same token can be written in several ways, or null if it is malformed. By default
   * the token itself.
   */
  idOf?(token: string): string | null;
  /** Sources that the check loads in the page. They are added to the policies of the pages that this server serves. */
  readonly pageSources?: PageSources;
  /** Creates a challenge, for checks that need one from this server. `GET /api/human-challenge` returns it as JSON. */
  challenge?(): Promise<unknown>;
}

/** Origins of other sites, by Content-Security-Policy directive. */
export type PageSources = Readonly<
  Partial<Record<'script-src' | 'style-src' | 'connect-src' | 'frame-src', readonly string[]>>
>;

/** The context of a token, for `VerifyHuman.verify`. */
export interface HumanRequest {
  /** The client's IP address, if known. */
  readonly clientAddress: string | undefined;
  readonly submissionId: string;
}

/** Longer tokens are rejected without any work. The longest known widget tokens have about 2,500 characters. */
export const MAX_HUMAN_TOKEN_LENGTH = 4_096;

export const NO_TOKEN =
  'human_token is missing: this server checks that people sign up, so the form needs the human check of the server';

/** Added to the lifetime for which used tokens are stored, because clocks differ. */
const CLOCK_MARGIN_MS = HOUR_MS;

interface HumanSubmission extends HumanRequest {
  /** Normalized. */
  readonly email: string;
}

/** Throws a `StorageError` unless the token proves that a human made this submission. */
export type HumanCheck = (token: unknown, submission: HumanSubmission) => Promise<void>;

export interface HumanCheckOptions {
  readonly verifyHuman: VerifyHuman;
  readonly tokens: HumanTokenStore;
  readonly count: (refusal: Exclude<Tally, 'robots'>) => void;
  readonly clock: Clock;
}

/**
 * A token is valid for a single submission of one address, which may be repeated. It is looked up first, because
 * verifiers reject a token the second time. It is claimed after verification, so that forged tokens are not stored.
 */
export function humanCheck({ verifyHuman, tokens, count, clock }: HumanCheckOptions): HumanCheck {
  const { name, tokenLifetimeMs, idOf = (token) => token } = verifyHuman;

  function refuse(reason: 'missing' | 'refused' | 'replayed', message: string): never {
    count(`human_${reason}`);
    throw new StorageError('forbidden', message);
  }
  const refuseReplayed = () => refuse('replayed', 'the token of the human check was used before; get a new one');

  async function verify(token: string, request: HumanRequest): Promise<boolean> {
    try {
      return await verifyHuman.verify(token, request);
    } catch (cause) {
      count('human_unreachable');
      throw new StorageError('unavailable', 'the human check cannot be verified', { cause, retryAfter: 5 });
    }
  }

  return async (token, { email, ...request }) => {
    if (typeof token !== 'string' || token === '') refuse('missing', NO_TOKEN);
    const id = token.length > MAX_HUMAN_TOKEN_LENGTH ? null : idOf(token);
    if (id === null) refuse('refused', 'human_token is not a token of this check');
    const hash = sha256(`${name}\n${id}`);
    // Includes the address: otherwise one token and one submission id could sign up any number of addresses.
    const purpose = sha256(`${request.submissionId}\n${email}`);

    const isClaimed = async () => {
      const claimed = await tokens.findClaim(hash);
      if (claimed !== null && claimed !== purpose) refuseReplayed();
      return claimed !== null;
    };
    if (await isClaimed()) return;
    if (!(await verify(token, request))) {
      // A parallel request may have verified and claimed the same token.
      if (await isClaimed()) return;
      refuse('refused', 'the human check refused the token; get a new one');
    }
    if (!(await tokens.claim(hash, purpose, clock() + tokenLifetimeMs + CLOCK_MARGIN_MS))) refuseReplayed();
  };
}
