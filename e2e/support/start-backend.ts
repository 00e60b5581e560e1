import { type Backend, STORAGE, startSelfHosted } from './backend.ts';
import { startOnFirestore } from './firestore-backend.ts';

type Values = Readonly<Record<string, string>>;

/** Starts a backend that stores data in `storage`. `settings` and `secrets` extend those of every test. */
export function startBackend(settings: Values = {}, secrets: Values = {}, storage = STORAGE): Promise<Backend> {
  return storage === 'firestore'
    ? startOnFirestore(settings, secrets)
    : startSelfHosted({ ...settings, ...secrets }, { storage });
}
