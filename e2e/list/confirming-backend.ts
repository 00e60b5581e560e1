import type { Backend } from '../support/backend.ts';
import { startBackend } from '../support/start-backend.ts';

export const INVITE_KEY = '0123456789abcdef0123456789abcdef';
const INVITE_URL = 'https://product.example/join';

/** Starts a backend that requires confirmed addresses and can invite people. */
export function startConfirming(): Promise<Backend> {
  return startBackend({ CONFIRM: 'on', INVITE_URL }, { INVITE_KEY });
}
