import {
  type FirestoreEmulator,
  findFirestoreEmulator,
  firestoreSentence,
  startFirestoreEmulator,
} from './firestore-emulator.ts';

/**
 * A global setup of Vitest: one emulator for all files of a run. Each database has its own project id, so that files
 * can run in parallel.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** `127.0.0.1:PORT` of Google's Firestore emulator. */
    firestoreEmulator: string;
  }
}

/** The used part of Vitest's `TestProject`, whose types would import browser types into every package. */
interface Project {
  provide(key: 'firestoreEmulator', value: string): void;
}

let emulator: FirestoreEmulator | undefined;

export async function setup(project: Project): Promise<void> {
  const files = findFirestoreEmulator();
  if (typeof files === 'string') throw new Error(firestoreSentence());
  emulator = await startFirestoreEmulator(files);
  project.provide('firestoreEmulator', emulator.host);
}

export async function teardown(): Promise<void> {
  await emulator?.stop();
}
