import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { sha256 } from '../access/secrets.ts';
import type { Tally } from '../analytics/analytics.ts';
import type { Clock } from '../ports/clock.ts';
import type { HumanTokenStore } from '../ports/human-token-store.ts';

/**
 * Decides whether a token shows that a person signs up. Ready-made: `verifyTurnstile`, `verifyHcaptcha` and
 * `verifyProofOfWork`.
 */
export interface VerifyHuman {
  /** Names the kind of tokens, so that tokens of two kinds are never mixed up. */
  readonly name: string;
  /** How long a token is valid after it was made. Used tokens are remembered this long. */
  readonly tokenLifetimeMs: number;
  /**
   * Whether the token passes. Rejects if that cannot be found out. It is asked again with the same submission if its
   * response was lost, and should return the same then. The token has at most `MAX_HUMAN_TOKEN_LENGTH` characters.
   */
  verify(token: string, request: HumanRequest): Promise<boolean>;
  /**
   * The identity of a token, if one token can be written in several ways; null if it is none. By default the token
   * itself.
   */
  idOf?(token: string): string | null;
  /** The sources that a page loads for the check, for the policy of the pages that this server serves. */
  readonly pageSources?: PageSources;
  /** A new challenge for the browser, if it needs one of this server. `GET /api/human-challenge` returns it as JSON. */
  challenge?(): Promise<unknown>;
}

/** Origins of other sites, by the directive of a Content-Security-Policy. */
export type PageSources = Readonly<
  Partial<Record<'script-src' | 'style-src' | 'connect-src' | 'frame-src', readonly string[]>>
>;

/** Who sends a token, for `VerifyHuman.verify`. */
export interface HumanRequest {
  /** The client's IP address, if it is known. */
  readonly clientAddress: string | undefined;
  readonly submissionId: string;
}

/**
 * Longer tokens are refused before any work on them. The longest that a widget is known to make have about 2,500
 * characters.
 */
export const MAX_HUMAN_TOKEN_LENGTH = 4_096;

export const NO_TOKEN =
  'human_token is missing: this server checks that people sign up, so the form needs the human check of the server';

/** A used token is remembered for longer than it can pass by so much, because clocks differ. */
const CLOCK_MARGIN_MS = HOUR_MS;

interface HumanSubmission extends HumanRequest {
  /** Normalised. */
  readonly email: string;
}

/** Throws a `StorageError` unless the token shows that a person made this submission. */
export type HumanCheck = (token: unknown, submission: HumanSubmission) => Promise<void>;

export interface HumanCheckOptions {
  readonly verifyHuman: VerifyHuman;
  readonly tokens: HumanTokenStore;
  readonly count: (refusal: Exclude<Tally, 'robots'>) => void;
  readonly clock: Clock;
}

/**
 * A token passes for one submission of one address, however often that is repeated, and for no other. It is looked up
 * before it is verified, because verifiers refuse the second time, and claimed afterwards, so that invented tokens are
 * not stored.
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
    // Includes the address: otherwise one token and one submission id would sign up any number of addresses.
    const purpose = sha256(`${request.submissionId}\n${email}`);

    const isClaimed = async () => {
      const claimed = await tokens.findClaim(hash);
      if (claimed !== null && claimed !== purpose) refuseReplayed();
      return claimed !== null;
    };
    if (await isClaimed()) return;
    if (!(await verify(token, request))) {
      // The same token may have been verified and claimed in the meantime.
      if (await isClaimed()) return;
      refuse('refused', 'the human check refused the token; get a new one');
    }
    if (!(await tokens.claim(hash, purpose, clock() + tokenLifetimeMs + CLOCK_MARGIN_MS))) refuseReplayed();
  };
}
