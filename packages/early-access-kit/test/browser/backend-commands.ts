import type { BrowserCommand } from 'vitest/node';
import { type Backend, startBackend } from '../firestore/backend.ts';

/** Lets tests in a browser use a Firestore, which runs outside of it. */

const backends = new Map<string, Backend>();

function findBackend(projectId: string): Backend {
  const backend = backends.get(projectId);
  if (!backend) throw new Error(`No backend has the project ${projectId}.`);
  return backend;
}

interface BackendInBrowser {
  readonly projectId: string;
  readonly urls: { readonly firestore: string; readonly functions: string };
  /** The emulator's own URL, for an admin. */
  readonly adminUrl: string;
}

interface StartOptions {
  readonly adminEmail: string;
  /** The host of Google's emulator. */
  readonly emulator: string;
}

const startFirestore: BrowserCommand<[StartOptions]> = async (
  _,
  { emulator, ...options },
): Promise<BackendInBrowser> => {
  const backend = await startBackend(emulator, options);
  const { database, urls, adminUrl } = backend;
  backends.set(database.projectId, backend);
  return { projectId: database.projectId, urls, adminUrl };
};

const loseNextAnswer: BrowserCommand<[string]> = (_, projectId) => {
  findBackend(projectId).database.faults.next({ verb: 'commit', drop: 'after' });
};

const breakFirestore: BrowserCommand<[string, 'fail' | 'hang']> = (_, projectId, how) =>
  findBackend(projectId).breakDown(how);

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
