import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { type AdminApi, ApiError } from '../api/admin-api.ts';

/** Creates a passkey in the browser and stores it on the server under this name. */
export function addPasskey(api: AdminApi, name: string): Promise<void> {
  return withPlainErrors(async () => {
    const { options } = await api.post<{ options: PublicKeyCredentialCreationOptionsJSON }>('/passkeys/options');
    await api.post('/passkeys', { name, response: await startRegistration({ optionsJSON: options }) });
  });
}

export function signInWithPasskey(api: AdminApi): Promise<void> {
  return withPlainErrors(async () => {
    const path = '/passkey-sign-in/options';
    const { options } = await api.direct.post<{ options: PublicKeyCredentialRequestOptionsJSON }>(path);
    await api.direct.post('/passkey-sign-in', { response: await startAuthentication({ optionsJSON: options }) });
  });
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'It was canceled or took too long, or this device has no passkey for this site.',
  AbortError: 'Canceled.',
  InvalidStateError: 'This device already has a passkey for this site.',
  SecurityError: 'Passkeys only work at PUBLIC_URL. Open the dashboard there.',
};

/** Replaces the browser's error messages, which are written for developers. */
async function withPlainErrors(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ApiError && error.kind !== 'signed-out') throw error;
    if (error instanceof ApiError) throw new Error('This passkey does not work here. Sign in with a link.');
    const problem = error instanceof Error ? PROBLEMS[error.name] : undefined;
    throw new Error(problem ?? 'This browser could not use a passkey.', { cause: error });
  }
}
