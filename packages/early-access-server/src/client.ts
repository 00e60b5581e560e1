import type { AdmitResult, InviteState, RedeemResult } from './app/ports/list-store.ts';
import { readField } from './app/text/read-field.ts';

export type { AdmitResult, InviteState, RedeemResult } from './app/ports/list-store.ts';

/**
 * Why an invitation could not be checked. `wrong-key`: the key is neither the server's `INVITE_KEY` nor an API key with
 * the scope `redeem`. `not-configured`: the server has no `INVITE_KEY`, or `url` is not the server's. `rate-limited`:
 * too many calls. `unavailable`: no response in time, or an invalid one.
 */
export type InviteFailureReason = 'wrong-key' | 'not-configured' | 'rate-limited' | 'unavailable';

/** The server was not reached, or did not return the state of the invitation. Nothing was redeemed. */
export interface InviteFailure {
  readonly result: 'failed';
  readonly reason: InviteFailureReason;
}

/** The server's URL and a key. */
export interface InviteClientOptions {
  /** The server's URL, such as `https://www.example.com`. */
  readonly url: string | URL;
  /**
   * The server's `INVITE_KEY`, or an API key with the scope `redeem`. Use it in the back end only: it allows exchanging
   * a token for an address.
   */
  readonly key: string;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  readonly timeoutMs?: number;
}

/**
 * Calls never reject. A configuration error is also logged to the console, once. A token is the value of `#invite=` in
 * the email's link.
 */
export interface InviteClient {
  /** Checks whether the invitation can be redeemed. Changes nothing, so it may be repeated. */
  verify(token: string): Promise<{ readonly result: InviteState } | InviteFailure>;
  /**
   * Redeems the invitation and returns the address it was sent to. If called several times, exactly one call returns
   * `redeemed`. After `unavailable` the invitation may have been redeemed.
   */
  redeem(token: string): Promise<RedeemResult | InviteFailure>;
  /**
   * Returns whether a person may sign up with this address: the address is invited, or they have an invitation, which
   * is used up. If so, they have joined. May be repeated if the address itself was invited. For hooks that only know
   * the address.
   */
  admit(who: { readonly email: string; readonly token?: string | undefined }): Promise<AdmitResult | InviteFailure>;
}

const STATES: readonly unknown[] = ['valid', 'used', 'expired', 'gone', 'unknown'] satisfies InviteState[];
const DEFAULT_TIMEOUT_MS = 10_000;

const ADVICE: Readonly<Partial<Record<InviteFailureReason, string>>> = {
  'wrong-key': 'the server refuses the key; it must be its INVITE_KEY, or an API key with the scope redeem',
  'not-configured': 'there is no server with an INVITE_KEY at the URL',
};

/**
 * Creates a client that verifies and redeems invitations from a host's back end. Needs only `fetch`. Throws if an
 * option is missing.
 *
 * @example
 * const invites = inviteClient({ url: 'https://early.example.com', key });
 * const { result } = await invites.redeem(token);
 */
export function inviteClient({ url, key, timeoutMs = DEFAULT_TIMEOUT_MS }: InviteClientOptions): InviteClient {
  if (!key) throw new TypeError('inviteClient: key must be the INVITE_KEY of the server');
  if (!URL.canParse(String(url)))
    throw new TypeError('inviteClient: url must be where the server is, such as https://www.example.com');
  const logged = new Set<InviteFailureReason>();

  function fail(reason: InviteFailureReason): InviteFailure {
    const advice = ADVICE[reason];
    // biome-ignore lint/suspicious/noConsole: the client has no other log, and its host would only see that no one can join
    if (advice && !logged.has(reason)) console.error(`early-access-server: no invitation can be checked: ${advice}`);
    logged.add(reason);
    return { result: 'failed', reason };
  }

  async function call<Result>(
    route: string,
    sent: { readonly token?: string | undefined; readonly email?: string },
    isResult: (body: unknown) => body is Result,
  ): Promise<Result | InviteFailure> {
    try {
      const response = await fetch(new URL(`/api/invites/${route}`, url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(sent),
        // Following a redirect would send the key and the token to another URL.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const body: unknown = await response.json();
      if (!response.ok) return fail(toFailureReason(response.status));
      return isResult(body) ? body : fail('unavailable');
    } catch {
      return fail('unavailable');
    }
  }

  return {
    verify: (token) => call('verify', { token }, isCheck),
    redeem: (token) => call('redeem', { token }, isRedeemResult),
    admit: ({ email, token }) => call('admit', { email, token }, isAdmitResult),
  };
}

function toFailureReason(status: number): InviteFailureReason {
  if (status === 401 || status === 403) return 'wrong-key';
  if (status === 404) return 'not-configured';
  return status === 429 ? 'rate-limited' : 'unavailable';
}

function isCheck(body: unknown): body is { readonly result: InviteState } {
  return STATES.includes(readField(body, 'result'));
}

function isAdmitResult(body: unknown): body is AdmitResult {
  const result = readField(body, 'result');
  return result === 'admitted' ? typeof readField(body, 'id') === 'string' : result !== 'valid' && isCheck(body);
}

function isRedeemResult(body: unknown): body is RedeemResult {
  const result = readField(body, 'result');
  if (result !== 'redeemed') return result !== 'valid' && isCheck(body);
  return typeof readField(body, 'email') === 'string' && typeof readField(body, 'id') === 'string';
}
