import { Buffer } from 'node:buffer';
import { asObject } from '../data/json.ts';
import { StatusError } from '../status.ts';

/** The caller: `owner`, who bypasses the rules, or any other client, with the claims of its token if it has one. */
export type Caller =
  | { readonly kind: 'owner' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly claims: Readonly<Record<string, unknown>> };

/** Reads an `Authorization` header: `Bearer owner`, or an unsigned token as the emulators issue them. */
export function callerOf(authorization: string | undefined): Caller {
  if (authorization === undefined) return { kind: 'anonymous' };
  const token = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (token === 'owner') return { kind: 'owner' };
  return { kind: 'user', claims: claimsOf(token ?? '') };
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.');
  try {
    const claims = asObject(JSON.parse(Buffer.from(payload, 'base64url').toString()), 'token');
    if (typeof claims.sub === 'string' && claims.sub !== '') return claims;
  } catch {
    // Anything that is not a token gets the error below.
  }
  throw new StatusError('UNAUTHENTICATED', 'Request had invalid authentication credentials.');
}
