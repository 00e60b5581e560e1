import { routePath } from 'hono/route';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { listUses } from '../../app/access/rate-limits.ts';
import { hashToken, isApiKey, isSameSecret } from '../../app/access/secrets.ts';
import type { AuditAuthor } from '../../app/ports/admin-store.ts';
import type { ApiKeyStore } from '../../app/ports/api-key-store.ts';
import { Failure } from './failure.ts';
import { type AppContext, identifyClient, type RouteContext } from './request-context.ts';

/**
 * Returns the key of a request, once its use is in the audit; null for a request without an API key. Throws a `Failure` for a key that
 * does not work, that is used too often, or whose scopes do not allow the route. If `scope` is null, no key may call the route.
 */
export async function checkApiKey(
  c: AppContext,
  context: RouteContext,
  keys: Pick<ApiKeyStore, 'find' | 'recordUse'>,
  scope: ApiScope | null,
): Promise<AuditAuthor | null> {
  const [, secret = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (!isApiKey(secret)) return null;
  const hash = hashToken(secret);
  const key = await keys.find(hash);
  if (key === null) {
    await context.limiter.take(listUses('wrongApiKeys', identifyClient(c, context)));
    throw unknownKey();
  }
  await context.limiter.take([{ limit: 'apiKeyRequests', key: key.id }]);
  const isAllowed = scope !== null && key.scopes.includes(scope);
  const route = `${c.req.method} ${routePath(c)}`;
  const action = isAllowed ? 'api-key-used' : 'api-key-refused';
  if (!(await keys.recordUse(hash, { action, route }))) throw unknownKey();
  if (isAllowed) return { session: key.id, api_key: key.name, route };
  const message = scope === null ? 'no API key may call here; sign in' : `this API key lacks the scope ${scope}`;
  throw new Failure(403, 'forbidden', message);
}

function unknownKey(): Failure {
  return new Failure(401, 'forbidden', 'this API key no longer works; make a new one in the dashboard');
}

/**
 * Whether the request's `Authorization` header is `Bearer` and this secret, compared in constant time. Never if there is no secret. For routes
 * of a host that only its cron job or its back end may call.
 */
export function hasBearer(request: Request, secret: string | undefined): boolean {
  return Boolean(secret) && isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`);
}
