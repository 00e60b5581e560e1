import { randomInt } from 'node:crypto';
import { isStorageError } from 'early-access-kit/core';
import { hashToken, newToken } from '../access/secrets.ts';
import type { AdminStore } from '../ports/admin-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { Member, TeamStore } from '../ports/team-store.ts';
import { signInExpiry } from './sign-in.ts';
import type { Team } from './team.ts';

/** Added to the email for someone who has never signed in. */
export type Invitation = Pick<Member, 'invited_by' | 'role'>;

export interface SignInMailOptions {
  readonly store: AdminStore;
  readonly members: Pick<TeamStore, 'findMember'>;
  readonly team: Pick<Team, 'isOwner'>;
  readonly limiter: RateLimiter<'signInLinks'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Null: no emails are sent. */
  readonly sendLink: ((to: string, link: string, invitation: Invitation | null) => Promise<DeliveryResult>) | null;
  readonly dashboardUrl: string;
  /** Called with the link as well, so that a local run can print it. */
  readonly onSignInLink: ((link: string) => void) | null;
}

const MAX_DELAY_MS = 2_000;

/** A random delay in milliseconds. */
export function randomSignInDelay(): number {
  return randomInt(MAX_DELAY_MS);
}

/**
 * Sends a sign-in link if the normalized address may use the dashboard, and otherwise does nothing. Rejects if the
 * store fails. The token is in the URL fragment, which browsers do not send to servers.
 */
export async function deliverSignIn(
  email: string,
  { store, members, team, limiter, clock, log, sendLink, dashboardUrl, onSignInLink }: SignInMailOptions,
): Promise<void> {
  const isOwner = team.isOwner(email);
  const member = isOwner ? null : await members.findMember(email);
  if ((!isOwner && member === null) || !(await hasRoom(email, limiter))) return;
  const token = newToken();
  await store.addSignInToken({ hash: hashToken(token), email, expires_at: signInExpiry(clock()) });
  const link = `${dashboardUrl}#token=${token}`;
  onSignInLink?.(link);
  if (sendLink === null) return log('warn', 'sign-in-not-mailed', { reason: 'no emails are sent; configure mail' });
  const result = await sendLink(email, link, member?.signed_in_at === null ? member : null);
  if (result.outcome === 'sent') log('info', 'sign-in-mailed');
  else log('warn', 'sign-in-not-mailed', { reason: result.reason });
}

/** Returns whether the mailbox may receive another link. Earlier links still work, so the admin is not locked out. */
async function hasRoom(email: string, limiter: RateLimiter<'signInLinks'>): Promise<boolean> {
  try {
    await limiter.take([{ limit: 'signInLinks', key: email }]);
    return true;
  } catch (error) {
    if (isStorageError(error) && error.code === 'rate-limited') return false;
    throw error;
  }
}
