import type { BrowserCommand } from 'vitest/node';
import { type Backend, type FakeBackend, startBackend, startFakeBackend } from '../firestore/backend.ts';

/** Lets tests in a browser use a Firestore, which runs outside of it. */

const backends = new Map<string, Backend | FakeBackend>();

function findBackend(projectId: string): Backend | FakeBackend {
  const backend = backends.get(projectId);
  if (!backend) throw new Error(`No backend has the project ${projectId}.`);
  return backend;
}

function findFake(projectId: string): FakeBackend {
  const backend = findBackend(projectId);
  if (!('fake' in backend)) throw new Error(`The Firestore of ${projectId} is not in memory.`);
  return backend;
}

interface BackendInBrowser {
  readonly projectId: string;
  readonly urls: { readonly firestore: string; readonly functions: string };
}

interface StartOptions {
  readonly adminEmail: string;
  /** The host of Google's emulator; null for the in-memory Firestore. */
  readonly emulator: string | null;
}

const startFirestore: BrowserCommand<[StartOptions]> = async (
  _,
  { emulator, ...options },
): Promise<BackendInBrowser> => {
  const backend = emulator === null ? await startFakeBackend(options) : await startBackend(emulator, options);
  const { projectId, url, callables } = backend;
  backends.set(projectId, backend);
  return { projectId, urls: { firestore: url, functions: callables.url } };
};

const loseNextAnswer: BrowserCommand<[string]> = (_, projectId) => {
  findFake(projectId).fake.faults.next({ verb: 'commit', drop: 'after' });
};

const breakFirestore: BrowserCommand<[string, 'fail' | 'hang']> = (_, projectId, how) =>
  findFake(projectId).breakDown(how);

const listWelcomed: BrowserCommand<[string]> = (_, projectId): string[] => [
  ...findBackend(projectId).callables.welcomed,
];

const stopFirestore: BrowserCommand<[string]> = async (_, projectId) => {
  await findBackend(projectId).stop();
  backends.delete(projectId);
};

export const backendCommands = { startFirestore, loseNextAnswer, breakFirestore, listWelcomed, stopFirestore };

declare module 'vitest/browser' {
  interface BrowserCommands {
    startFirestore: (options: StartOptions) => Promise<BackendInBrowser>;
    breakFirestore: (projectId: string, how: 'fail' | 'hang') => Promise<void>;
    loseNextAnswer: (projectId: string) => Promise<void>;
    listWelcomed: (projectId: string) => Promise<string[]>;
    stopFirestore: (projectId: string) => Promise<void>;
  }
}
