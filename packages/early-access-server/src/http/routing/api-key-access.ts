import { routePath } from 'hono/route';
import { isOverviewLink, type KeyScope, type StoredKey } from '../../app/access/api-keys.ts';
import { listUses } from '../../app/access/rate-limits.ts';
import { hashToken, isApiKey, isSameSecret } from '../../app/access/secrets.ts';
import type { AuditAuthor } from '../../app/ports/admin-store.ts';
import type { ApiKeyStore } from '../../app/ports/api-key-store.ts';
import { Failure } from './failure.ts';
import { type AppContext, identifyClient, type RouteContext } from './request-context.ts';

/**
 * Returns the key of a request, once its use is in the audit; null for a request without an API key. Throws a `Failure`
 * for a key that does not work, that is used too often, or has none of the scopes that allow the route. Without
 * `scopes`, no key may call the route. `limit`: how often a key may.
 */
export async function checkApiKey(
  c: AppContext,
  context: RouteContext,
  keys: Pick<ApiKeyStore, 'find' | 'recordUse'>,
  { scopes, limit }: { readonly scopes: readonly KeyScope[]; readonly limit: 'apiKeyWrites' | 'apiKeyRequests' },
): Promise<AuditAuthor | null> {
  const key = await findApiKey(c, context, keys, limit);
  if (key === null) return null;
  const isAllowed = scopes.some((scope) => key.scopes.includes(scope));
  const route = `${c.req.method} ${routePath(c)}`;
  const action = !isAllowed ? 'api-key-refused' : isOverviewLink(key) ? 'overview-link-used' : 'api-key-used';
  if (!(await keys.recordUse(key.hash, { action, route }))) throw unknownKey();
  if (isAllowed) return { session: key.id, api_key: key.name, route };
  const message =
    scopes.length === 0
      ? 'no API key may use this route; sign in'
      : `this API key lacks the scope ${scopes.join(' or ')}`;
  throw new Failure(403, 'forbidden', message);
}

/**
 * Finds the key of a request and counts the request toward its limit. Null for a request without an API key. Throws a
 * `Failure` if the key is invalid or used too often. Does not record the use.
 */
export async function findApiKey(
  c: AppContext,
  context: RouteContext,
  keys: Pick<ApiKeyStore, 'find'>,
  limit: 'apiKeyWrites' | 'apiKeyRequests',
): Promise<(StoredKey & { readonly secret: string; readonly hash: string }) | null> {
  const secret = readApiKey(c);
  if (secret === null) return null;
  const hash = hashToken(secret);
  const key = await keys.find(hash);
  if (key === null) {
    await context.limiter.take(listUses('wrongApiKeys', identifyClient(c, context)));
    throw unknownKey();
  }
  await context.limiter.take([{ limit: isOverviewLink(key) ? 'overviewLinks' : limit, key: key.id }]);
  return { ...key, secret, hash };
}

/** The API key in a request, valid or not. */
export function readApiKey(c: AppContext): string | null {
  const [, secret = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  return isApiKey(secret) ? secret : null;
}

function unknownKey(): Failure {
  return new Failure(401, 'forbidden', 'this API key no longer works; create a new one in the dashboard');
}

/**
 * Returns whether the request's `Authorization` header is `Bearer` with this secret, compared in constant time. False
 * if there is no secret. For host routes that only a cron job or the back end may call.
 *
 * @example
 * if (!hasBearer(request, process.env.CRON_SECRET)) return new Response(null, { status: 401 });
 */
export function hasBearer(request: Request, secret: string | undefined): boolean {
  return Boolean(secret) && isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`);
}
