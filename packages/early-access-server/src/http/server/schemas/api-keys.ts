import * as z from 'zod';
import { API_SCOPES, type ApiKey, MAX_API_KEY_NAME } from '../../../app/access/api-keys.ts';
import { createChoices, type Output, record, time } from '../openapi/schema.ts';

const nameError = `must be one line of at most ${MAX_API_KEY_NAME} characters without an address`;

export const newApiKeyBody = z.object({
  // It is stored in the audit, which contains no addresses.
  name: z
    .string({ error: nameError })
    .trim()
    .min(1, { error: nameError })
    .max(MAX_API_KEY_NAME, { error: nameError })
    .regex(/^[^\p{Cc}@]*$/u, { error: nameError })
    .describe('Names the key in the dashboard and in the audit.'),
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
