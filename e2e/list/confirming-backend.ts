import { type Backend, STORAGE, startSelfHosted } from '../support/backend.ts';
import { startOnFirestore } from '../support/firestore-backend.ts';

export const INVITE_KEY = '0123456789abcdef0123456789abcdef';
const INVITE_URL = 'https://product.example/join';

/** A backend that has addresses confirmed and invites people. */
export function startConfirming(): Promise<Backend> {
  return STORAGE === 'firestore'
    ? startOnFirestore({ CONFIRM: 'true', INVITE_URL }, { INVITE_KEY })
    : startSelfHosted({ CONFIRM: 'on', INVITE_URL, INVITE_KEY });
}
