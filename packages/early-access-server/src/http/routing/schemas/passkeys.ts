import * as z from 'zod';
import { MAX_PASSKEY_NAME } from '../../../app/access/passkeys.ts';
import { type Output, text, time } from '../openapi/schema.ts';

/** A credential id has at most 1,023 bytes; the attestation is small because the server does not request one. */
const MAX_ENCODED = 20_000;
const encoded = text(MAX_ENCODED);

const nameError = `must be one line of at most ${MAX_PASSKEY_NAME} characters`;
const name = z
  .string({ error: nameError })
  .trim()
  .min(1, { error: nameError })
  .max(MAX_PASSKEY_NAME, { error: nameError })
  .regex(/^\P{Cc}*$/u, { error: nameError });

const credential = { id: encoded, rawId: encoded, type: z.literal('public-key') };
const extensions = z.object({}).default({});

export const newPasskey = z.object({
  name,
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: encoded, attestationObject: encoded }),
    clientExtensionResults: extensions,
  }),
});

export const passkeyAssertion = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded.exactOptional(),
    }),
    clientExtensionResults: extensions,
  }),
});

export const passkeyName = z.object({ name });

/**
 * In the browser's JSON format: `PublicKeyCredentialCreationOptionsJSON` and `PublicKeyCredentialRequestOptionsJSON`.
 */
export const passkeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable().describe('Null: never.'),
});
export const storedPasskey = passkey;
export const passkeyList = z.object({
  passkeys: z.array(passkey).describe('In the order in which they were added.'),
  is_available: z.boolean().describe('Whether passkeys work at this address of the dashboard.'),
});
export type PasskeysResponse = Output<typeof passkeyList>;
