import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A secret in Supabase's format. */
export const newHookSecret = () => `v1,whsec_${randomBytes(32).toString('base64')}`;

/** The hook's payload according to Supabase's documentation, with fields of the new user. */
export function hookPayload(user: Readonly<Record<string, unknown>> = {}, name = 'before-user-created') {
  return {
    metadata: { uuid: randomUUID(), time: new Date().toISOString(), name, ip_address: '127.0.0.1' },
    user: {
      ...{ id: randomUUID(), aud: 'authenticated', role: '', email: 'ada@example.org', phone: '' },
      ...{ app_metadata: { provider: 'email', providers: ['email'] }, user_metadata: {}, identities: [] },
      ...{ created_at: '0001-01-01T00:00:00Z', updated_at: '0001-01-01T00:00:00Z', is_anonymous: false },
      ...user,
    },
  };
}

interface Signing {
  readonly secrets: readonly string[];
  readonly at?: Date;
}

/** A call of the hook with Supabase's signatures: a list separated by a comma and a space. */
export function signHook(body: string, { secrets, at = new Date() }: Signing): Request {
  const id = randomUUID();
  const signatures = secrets.map((secret) => new Webhook(secret.replace('v1,', '')).sign(id, at, body));
  return new Request('https://hooks.example/before-user-created', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(', '),
    },
    body,
  });
}
