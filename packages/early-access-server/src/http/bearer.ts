import { routePath } from 'hono/route';
import type { ApiKeyStore, ApiScope } from '../app/access/api-keys.ts';
import { usesOf } from '../app/access/rate-limits.ts';
import type { AuditAuthor } from '../app/admin/admin-store.ts';
import { hashToken, isApiKey, isSameSecret } from '../app/secrets.ts';
import { Failure } from './failure.ts';
import type { AppContext, RouteContext } from './route-context.ts';

/**
 * Returns the key of a request, once its use is in the audit; null for a request without an API key. Throws a `Failure` for a key that
 * no longer works, that is used too often, or whose scopes do not allow the route. Null is a route that no key may call.
 */
export type ApiKeyAccess = (c: AppContext, scope: ApiScope | null) => Promise<AuditAuthor | null>;

export function apiKeyAccess(keys: Pick<ApiKeyStore, 'find' | 'recordUse'>, context: RouteContext): ApiKeyAccess {
  const { limiter } = context;
  return async (c, scope) => {
    const [, secret = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!isApiKey(secret)) return null;
    const hash = hashToken(secret);
    const key = await keys.find(hash);
    if (key === null) {
      await limiter.take(usesOf('wrongApiKeys', context.clientOf(c)));
      throw unknownKey();
    }
    await limiter.take([{ limit: 'apiKeyRequests', key: key.id }]);
    const isAllowed = scope !== null && key.scopes.includes(scope);
    const route = `${c.req.method} ${routePath(c)}`;
    const action = isAllowed ? 'api-key-used' : 'api-key-refused';
    if (!(await keys.recordUse(hash, { action, route }))) throw unknownKey();
    if (isAllowed) return { session: key.id, api_key: key.name, route };
    throw new Failure(403, 'forbidden', refusal(scope));
  };
}

function unknownKey(): Failure {
  return new Failure(401, 'forbidden', 'this API key no longer works; make a new one in the dashboard');
}

function refusal(scope: ApiScope | null): string {
  return scope === null ? 'no API key may call here; sign in' : `this API key lacks the scope ${scope}`;
}

/**
 * Whether the request's `Authorization` header is `Bearer` and this secret, compared in constant time. Never if there is no secret. For routes
 * of a host that only its cron job or its back end may call.
 */
export function hasBearer(request: Request, secret: string | undefined): boolean {
  return Boolean(secret) && isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`);
}
