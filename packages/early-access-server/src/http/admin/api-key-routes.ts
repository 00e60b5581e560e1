import { StorageError } from 'early-access-kit/core';
import { MAX_API_KEYS } from '../../app/access/api-keys.ts';
import type { ApiKeysResponse, NewApiKeyResponse } from '../../app/admin/admin-api.ts';
import { hashToken, newApiKey } from '../../app/secrets.ts';
import { Failure } from '../failure.ts';
import { apiKeyList, madeApiKey, newApiKeyBody } from '../schemas/api-keys.ts';
import type { AdminRouter } from './admin-context.ts';

/** The keys for automation. A key leaves the server once, when it is made. */
export function apiKeyRoutes({ get, post, json, done, store: { apiKeys, admin } }: AdminRouter): void {
  get('/api-keys', { summary: 'The API keys.', responses: { 200: apiKeyList } }, async () => {
    const response: ApiKeysResponse = { api_keys: await apiKeys.list() };
    return json(response);
  });

  const make = { summary: 'Makes an API key.', body: newApiKeyBody, responses: { 200: madeApiKey } };
  post('/api-keys', make, async ({ session, body: { name, scopes } }) => {
    if ((await apiKeys.list()).length >= MAX_API_KEYS) {
      throw new StorageError('invalid', `there are ${MAX_API_KEYS} keys already; revoke one first`);
    }
    const secret = newApiKey();
    const api_key = await apiKeys.add({ hash: hashToken(secret), name, scopes });
    await admin.addAudit({ session: session.id, action: 'add-api-key', count: 1, api_key: name });
    const response: NewApiKeyResponse = { api_key, secret };
    return json(response);
  });

  const revoke = {
    summary: 'Revokes an API key, which stops at once.',
    responses: { 204: null },
    refusals: { 404: 'This key no longer exists.' },
  };
  post('/api-keys/:id/revoke', revoke, async ({ c, session }) => {
    const revoked = await apiKeys.revoke(c.req.param('id') ?? '');
    if (revoked === null) throw new Failure(404, 'invalid', 'this key no longer exists');
    await admin.addAudit({ session: session.id, action: 'revoke-api-key', count: 1, api_key: revoked.name });
    return done();
  });
}
