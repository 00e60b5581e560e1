import { StatusError } from '../status.ts';

/** Whether the caller bypasses the rules, by `Authorization: Bearer owner`. Without the header it is anonymous. */
export function isOwner(authorization: string | undefined): boolean {
  if (authorization === undefined || authorization === 'Bearer owner') return authorization !== undefined;
  throw new StatusError('UNAUTHENTICATED', 'The fake knows no users.');
}
