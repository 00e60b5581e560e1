import { type Backend, STORAGE, startSelfHosted } from './backend.ts';
import { startOnFirestore } from './firestore-backend.ts';

type Values = Readonly<Record<string, string>>;

/** Starts a backend that stores data where `STORAGE` says. `settings` and `secrets` add to those that every test needs. */
export function startBackend(settings: Values = {}, secrets: Values = {}): Promise<Backend> {
  return STORAGE === 'firestore' ? startOnFirestore(settings, secrets) : startSelfHosted({ ...settings, ...secrets });
}
