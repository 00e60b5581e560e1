import type { AdmitResult, InviteState, RedeemResult } from './app/ports/list-store.ts';
import { readField } from './app/text/read-field.ts';

export type { AdmitResult, InviteState, RedeemResult } from './app/ports/list-store.ts';

/**
 * Why nothing is known about the invitation. `wrong-key`: the key is neither the server's `INVITE_KEY` nor an API key
 * with the scope `redeem`. `not-configured`: the server has no `INVITE_KEY`, or `url` is not the server's.
 * `rate-limited`: too many calls. `unavailable`: no response in time, or one that makes no sense.
 */
export type InviteFailureReason = 'wrong-key' | 'not-configured' | 'rate-limited' | 'unavailable';

/** The server was not asked, or did not answer about the invitation. Nothing was redeemed. */
export interface InviteFailure {
  readonly result: 'failed';
  readonly reason: InviteFailureReason;
}

/** Where the server is, and the key that it knows the back end by. */
export interface InviteClientOptions {
  /** Where the server is, such as `https://www.example.com`. */
  readonly url: string | URL;
  /**
   * The server's `INVITE_KEY`, or an API key with the scope `redeem`. Keep it in the back end: with it, a token can be
   * exchanged for an address.
   */
  readonly key: string;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  readonly timeoutMs?: number;
}

/**
 * Calls never reject; a wrong configuration is also logged to the console, once. A token is what follows `#invite=` in
 * the link of the email.
 */
export interface InviteClient {
  /** Whether the invitation can be redeemed. Changes nothing, so it may be repeated. */
  verify(token: string): Promise<{ readonly result: InviteState } | InviteFailure>;
  /**
   * Uses the invitation up and returns the address it was sent to. Of several calls, exactly one gets `redeemed`. After
   * `unavailable` the invitation may have been used up.
   */
  redeem(token: string): Promise<RedeemResult | InviteFailure>;
  /**
   * Whether someone may sign up with this address: it is invited, or they have an invitation, which this uses up. They
   * have joined then. May be repeated for an address that was admitted by itself. For gates that know the address only.
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
 * Verifies and redeems the invitations of a list from a host's back end. Needs nothing but `fetch`. Throws if an option
 * is missing.
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
        // A redirect would carry what is sent elsewhere.
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
