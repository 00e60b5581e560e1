import * as z from 'zod';
import { API_SCOPES, type ApiKey, MAX_API_KEY_NAME } from '../../../app/access/api-keys.ts';
import { createChoices, lineOfText, type Output, record, time } from '../openapi/schema.ts';

/** Stored in the audit, which contains no addresses of people. */
export const keyName = lineOfText(1, MAX_API_KEY_NAME);

export const newApiKeyBody = z.object({
  name: keyName.describe('Names the key in the dashboard and in the audit log.'),
  scopes: createChoices(API_SCOPES),
});

const apiKey = record<ApiKey>()('ApiKey', {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  created_at: time,
  last_used_at: time.nullable().describe('Null: never.'),
});

export const apiKeyList = z.object({ api_keys: z.array(apiKey).describe('The newest first.') });
export const currentApiKey = z.object({ api_key: apiKey });
export type ApiKeysResponse = Output<typeof apiKeyList>;

export const madeApiKey = z.object({
  api_key: apiKey,
  secret: z.string().describe('The key itself. It is shown this once.'),
});
export type NewApiKeyResponse = Output<typeof madeApiKey>;
