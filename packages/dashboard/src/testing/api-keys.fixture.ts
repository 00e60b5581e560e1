import { DAY_MS } from 'early-access-kit/internal';
import { API_SCOPES, type ApiKey, type ApiKeysResponse, type NewApiKeyResponse } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const KEYS: readonly ApiKey[] = [
  { id: 'report', name: 'Weekly report', scopes: ['analytics'], created_at: NOW - DAY_MS / 2, last_used_at: NOW },
  { id: 'crm', name: 'CRM sync', scopes: ['analytics', 'people'], created_at: NOW - 9 * DAY_MS, last_used_at: null },
  {
    id: 'product',
    name: 'The back end of the product, which lets invited people in',
    scopes: ['redeem'],
    created_at: NOW - 40 * DAY_MS,
    last_used_at: NOW - DAY_MS,
  },
];

/** The fake server's API keys. `respond` returns undefined for every other request. */
export function fakeApiKeys(isEmpty: boolean) {
  let api_keys = isEmpty ? [] : KEYS;
  return {
    respond(name: string, body: Record<string, unknown>): Response | undefined {
      const [, method, id] = /^(GET|POST) \/admin\/api-keys(?:\/(\w+)\/revoke)?$/.exec(name) ?? [];
      if (method === undefined) return undefined;
      if (method === 'GET') return Response.json({ api_keys } satisfies ApiKeysResponse);
      if (id !== undefined) {
        api_keys = api_keys.filter((key) => key.id !== id);
        return new Response(null, { status: 204 });
      }
      const given: readonly unknown[] = Array.isArray(body.scopes) ? body.scopes : [];
      const scopes = API_SCOPES.filter((scope) => given.includes(scope));
      const api_key: ApiKey = { id: 'made', name: String(body.name), scopes, created_at: NOW, last_used_at: null };
      api_keys = [api_key, ...api_keys];
      const secret = 'eak_TUZLUTlyOEdLWXFyVHdqVVBEOElMUFo2M2ZfZ0Fo-0A';
      return Response.json({ api_key, secret } satisfies NewApiKeyResponse);
    },
  };
}
