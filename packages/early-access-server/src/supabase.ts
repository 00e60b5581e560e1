import { Webhook } from 'standardwebhooks';
import { readField, readString } from './app/text/read-field.ts';
import type { InviteClient } from './client.ts';
import { inTime, REFUSALS } from './gates.ts';
import { parseJson, readBody } from './http/routing/body.ts';
import { toFailure } from './http/routing/failure.ts';

/** The options of `supabaseHook`. */
export interface SupabaseHookOptions {
  /** Created with the URL of the early access server and its key. */
  readonly client: InviteClient;
  /**
   * The hook's secret as Supabase shows it: `v1,whsec_` and base64. During rotation, both secrets, separated by `|`.
   */
  readonly secret: string;
  /** Texts for people that replace the English ones, by code. */
  readonly messages?: Partial<Record<(typeof REFUSALS)[keyof typeof REFUSALS]['code'], string>>;
}

const HOOK = 'before-user-created';
/** Supabase sends at most 200 kB. */
const MAX_BYTES = 204_800;

/**
 * A "before user created" hook for Supabase Auth. Only people whose address is invited, or who pass an invitation's
 * token as `invite` in the `data` of `signUp`, can create an account. Rejects everyone while the early access server is
 * unavailable. Throws if the secret is malformed. Returns a function for any runtime with `Request` and `Response`,
 * such as an Edge Function.
 *
 * @example
 * Deno.serve(supabaseHook({ client: inviteClient({ url, key }), secret }));
 */
export function supabaseHook({ client, secret, messages = {} }: SupabaseHookOptions) {
  const webhooks = secret.split('|').map(createWebhook);

  function isGenuine(headers: Headers, text: string): boolean {
    const signed = Object.fromEntries(headers);
    return webhooks.some((webhook) => {
      try {
        webhook.verify(text, signed, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });
  }

  function refuse(result: keyof typeof REFUSALS): Response {
    const { code, message } = REFUSALS[result];
    // Supabase only passes on a rejection if the response itself is successful.
    return Response.json({ error: { http_code: result === 'failed' ? 503 : 403, message: messages[code] ?? message } });
  }

  return async (request: Request): Promise<Response> => {
    try {
      const text = await readBody(request, MAX_BYTES);
      if (!isGenuine(request.headers, text)) return new Response('the signature is wrong', { status: 401 });
      const payload = parseJson(text);
      const user = readField(payload, 'user');
      if (readString(readField(payload, 'metadata'), 'name') !== HOOK) {
        return new Response(`this is for the hook ${HOOK}`, { status: 400 });
      }
      const token = readString(readField(user, 'user_metadata'), 'invite');
      const { result } = await inTime(client.admit({ email: readString(user, 'email'), token: token || undefined }));
      return result === 'admitted' ? Response.json({}) : refuse(result);
    } catch (error) {
      const { status, message } = toFailure(error);
      return new Response(message, { status });
    }
  };
}

function createWebhook(secret: string): Webhook {
  try {
    const [, base64 = ''] = /^v1,(whsec_.+)$/.exec(secret.trim()) ?? [];
    return new Webhook(base64);
  } catch {
    throw new TypeError(
      'supabaseHook: secret must be the secret of the hook that Supabase shows, starting with v1,whsec_',
    );
  }
}
