import { type ClientNetwork, clientNetworks } from 'early-access-server/app';
import type { Request } from 'firebase-functions/v2/https';

/** Google's front end appends the address that called it. */
export const CALLED_DIRECTLY = 1;
/** Firebase Hosting, which appends the visitor's before, calls through that front end. */
export const CALLED_THROUGH_HOSTING = 2;

/** What a caller is counted by; `hops` is the number of those who appended to X-Forwarded-For on Google's side. */
export function callerOf(request: Request, hops: number): readonly ClientNetwork[] {
  const { remoteAddress } = request.socket;
  return clientNetworks({ remoteAddress, forwardedFor: request.header('x-forwarded-for') }, hops);
}
