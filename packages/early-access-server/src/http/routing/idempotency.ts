import { hashToken, keyedDigest, seal, unseal } from '../../app/access/secrets.ts';
import type { ApiKeyStore } from '../../app/ports/api-key-store.ts';
import { readApiKey } from './api-key-access.ts';
import { Failure, toFailure } from './failure.ts';
import type { AppContext } from './request-context.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** A structured-field string, as in the IETF draft. Many clients omit the quotes. */
const HEADER = /^"?([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"?$/;

const OTHER_REQUEST = `this ${IDEMPOTENCY_HEADER} belongs to another request; use a new one for each`;
const NO_RESULT = `the first request with this ${IDEMPOTENCY_HEADER} is in progress, or was interrupted; look at what it did before you send it with a new one`;

/**
 * Runs `respond` once per `Idempotency-Key` of an API key, and returns the stored result for repeated requests. The
 * result is encrypted with the API key, which is not stored. So nobody else can read it, and it does not outlive an
 * erased person's data. `body` is the text that was sent; requests without one may be repeated anyway. Throws a
 * `Failure` if the key belongs to another request, or to one without a result.
 */
export async function respondOnce(
  c: AppContext,
  apiKeys: Pick<ApiKeyStore, 'claimRequest' | 'finishRequest'>,
  body: string | null,
  respond: () => Promise<unknown>,
): Promise<unknown> {
  const header = c.req.header(IDEMPOTENCY_HEADER);
  const apiKey = readApiKey(c);
  if (header === undefined || apiKey === null || body === null) return respond();
  const [, key] = HEADER.exec(header) ?? [];
  if (key === undefined) {
    throw new Failure(400, 'invalid', `${IDEMPOTENCY_HEADER} must be 1 to 255 characters of ASCII, without " and \\`);
  }
  const { pathname, search } = new URL(c.req.url);
  const hash = keyedDigest(apiKey, `key ${key}`);
  const request = keyedDigest(apiKey, `request ${c.req.method} ${pathname}${search}\n${body}`);
  const cipherKey = keyedDigest(apiKey, `response ${key}`);
  const claimed = await apiKeys.claimRequest({ hash, request, api_key: hashToken(apiKey) });
  if (claimed !== null) {
    if (claimed.request !== request) throw new Failure(422, 'invalid', OTHER_REQUEST);
    if (claimed.response === null) throw new Failure(409, 'invalid', NO_RESULT);
    return JSON.parse(unseal(claimed.response, cipherKey)).result;
  }
  const result = await respond().catch(async (error: unknown) => {
    // After an internal error it is unknown what was done, so the claim remains.
    if (toFailure(error).status < 500) await apiKeys.finishRequest(hash, null);
    throw error;
  });
  await apiKeys.finishRequest(hash, seal(JSON.stringify({ result }), cipherKey));
  return result;
}
