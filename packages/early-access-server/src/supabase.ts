import { Webhook } from 'standardwebhooks';
import { readField, readString } from './app/text/read-field.ts';
import type { InviteClient } from './client.ts';
import { inTime, REFUSALS } from './gates.ts';
import { parseJson, readBody } from './http/routing/body.ts';
import { toFailure } from './http/routing/failure.ts';

/** How the hook decides, and what it trusts. */
export interface SupabaseHookOptions {
  /** The client of the list's server, which has its key. */
  readonly client: InviteClient;
  /**
   * The secret of the hook as Supabase shows it, `v1,whsec_` and base64; while you replace it, both, separated by `|`.
   */
  readonly secret: string;
  /** Sentences for people that replace the English ones, by code. */
  readonly messages?: Partial<Record<(typeof REFUSALS)[keyof typeof REFUSALS]['code'], string>>;
}

const HOOK = 'before-user-created';
/** Supabase sends at most 200 kB. */
const MAX_BYTES = 204_800;

/**
 * The "before user created" hook of Supabase Auth: only people get an account whose address is invited, or who bring the
 * token of an invitation as `invite` in the data of `signUp`. It refuses everyone while the list cannot be asked. Throws
 * if the secret is none of Supabase's. Returns a function for any server that has `Request` and `Response`, such as an
 * Edge Function.
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
    // Supabase passes a refusal on only if the response itself is a success.
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
    throw new TypeError('supabaseHook: secret must be the secret of the hook that Supabase shows: v1,whsec_ and more');
  }
}
