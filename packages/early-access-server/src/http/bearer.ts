import { isSameSecret } from '../app/sha256.ts';

/**
 * Whether the request's `Authorization` header is `Bearer` and this secret, compared in constant time. Never if there is no secret. For routes
 * of a host that only its cron job or its back end may call.
 */
export function hasBearer(request: Request, secret: string | undefined): boolean {
  return Boolean(secret) && isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`);
}
