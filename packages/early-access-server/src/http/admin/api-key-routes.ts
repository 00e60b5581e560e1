import { StorageError } from 'early-access-kit/core';
import { API_SCOPES, listApiKeys, MAX_API_KEYS } from '../../app/access/api-keys.ts';
import { hashToken, newApiKey } from '../../app/access/secrets.ts';
import { toAuditAuthor } from '../../app/admin/admin-sessions.ts';
import { Failure } from '../routing/failure.ts';
import { apiKeyList, currentApiKey, madeApiKey, newApiKeyBody } from '../routing/schemas/api-keys.ts';
import { type AdminRouter, route } from './admin-route.ts';

/** Routes for API keys. A key is only returned once, when it is created. */
export function apiKeyRoutes(router: AdminRouter): void {
  const { apiKeys, admin } = router.store;
  route(router, {
    method: 'get',
    path: '/api-keys',
    summary: 'The API keys.',
    response: apiKeyList,
    respond: async () => ({ api_keys: listApiKeys(await apiKeys.list()) }),
  });
  route(router, {
    method: 'get',
    path: '/api-keys/current',
    scope: API_SCOPES,
    summary: 'The API key of the request, with its scopes.',
    response: currentApiKey,
    refusals: { 404: 'The request has a session and no API key.' },
    async respond({ caller }) {
      const api_key = listApiKeys(await apiKeys.list()).find(({ id }) => id === toAuditAuthor(caller).session);
      if (api_key === undefined) throw new Failure(404, 'invalid', 'this request has no API key');
      return { api_key };
    },
  });
  route(router, {
    method: 'post',
    path: '/api-keys',
    summary: 'Creates an API key.',
    body: newApiKeyBody,
    response: madeApiKey,
    async respond({ caller, body: { name, scopes } }) {
      if (listApiKeys(await apiKeys.list()).length >= MAX_API_KEYS) {
        throw new StorageError('invalid', `there are already ${MAX_API_KEYS} keys; revoke one first`);
      }
      const secret = newApiKey();
      const api_key = await apiKeys.add({ hash: hashToken(secret), name, scopes });
      await admin.addAudit({ ...toAuditAuthor(caller), action: 'add-api-key', count: 1, api_key: name });
      return { api_key, secret };
    },
  });
  route(router, {
    method: 'post',
    path: '/api-keys/:id/revoke',
    summary: 'Revokes an API key at once.',
    refusals: { 404: 'This key no longer exists.' },
    async respond({ id, caller }) {
      const revoked = await apiKeys.revoke(id);
      if (revoked === null) throw new Failure(404, 'invalid', 'this key no longer exists');
      await admin.addAudit({ ...toAuditAuthor(caller), action: 'revoke-api-key', count: 1, api_key: revoked.name });
    },
  });
}
