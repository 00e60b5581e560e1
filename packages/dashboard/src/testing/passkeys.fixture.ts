import { DAY_MS } from 'early-access-kit/internal';
import type { PasskeysResponse } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const PASSKEYS: PasskeysResponse['passkeys'] = [
  { id: 'laptop', name: 'Laptop', created_at: NOW - 90 * DAY_MS, last_used_at: NOW - DAY_MS },
  { id: 'key', name: 'The security key in the drawer', created_at: NOW - 30 * DAY_MS, last_used_at: null },
];

/** The fake server's passkeys. `respond` returns undefined for every other request. */
export function fakePasskeys(isEmpty: boolean, is_available: boolean) {
  let passkeys = isEmpty ? [] : PASSKEYS;
  return {
    respond(name: string, body: Record<string, unknown>): Response | undefined {
      const options = {
        challenge: 'Y2hhbGxlbmdl',
        rpId: 'localhost',
        rp: { name: 'Acme' },
        user: USER,
        pubKeyCredParams: [],
      };
      if (/^POST \/admin\/passkey(s|-sign-in)\/options$/.test(name)) return Response.json({ options });
      const [, method, id, action] = /^(GET|POST) \/admin\/passkeys(?:\/(\w+))?(?:\/(\w+))?$/.exec(name) ?? [];
      if (method === undefined) return undefined;
      if (method === 'GET') return Response.json({ passkeys: [...passkeys], is_available } satisfies PasskeysResponse);
      const given = String(body.name);
      if (id === undefined) {
        const added = { id: 'made', name: given, created_at: NOW, last_used_at: null };
        passkeys = [...passkeys, added];
        return Response.json(added);
      }
      passkeys =
        action === 'remove'
          ? passkeys.filter((passkey) => passkey.id !== id)
          : passkeys.map((passkey) => (passkey.id === id ? { ...passkey, name: given } : passkey));
      return new Response(null, { status: 204 });
    },
  };
}

const USER = { id: 'dXNlcg', name: 'admin@acme.example', displayName: '' };

/** Makes the browser use a passkey, or fail with an error of this name. Returns a function that restores it. */
export function fakeAuthenticator(failure?: string): () => void {
  const { create, get } = navigator.credentials;
  const bytes = new ArrayBuffer(1);
  const response = {
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: null,
  };
  const credential = { id: 'AA', rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) };
  const use = async () => {
    if (failure !== undefined) throw new DOMException('', failure);
    return credential;
  };
  Object.assign(navigator.credentials, { create: use, get: use });
  return () => Object.assign(navigator.credentials, { create, get });
}
