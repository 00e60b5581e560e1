import type { BrowserCommand } from 'vitest/node';
import { type Backend, startBackend } from '../firestore/backend.ts';

/** Lets tests in a browser use the Firestore fake, which runs in Node. */

const backends = new Map<string, Backend>();

function backendOf(url: string): Backend {
  const backend = backends.get(url);
  if (!backend) throw new Error(`No backend runs at ${url}.`);
  return backend;
}

interface BackendUrls {
  readonly firestore: string;
  readonly functions: string;
}

const startFirestore: BrowserCommand<[{ adminEmail: string }]> = async (_, options): Promise<BackendUrls> => {
  const backend = await startBackend(options);
  backends.set(backend.fake.restUrl, backend);
  return { firestore: backend.fake.restUrl, functions: backend.callables.url };
};

const loseNextAnswer: BrowserCommand<[string]> = (_, url) => {
  backendOf(url).fake.faults.next({ verb: 'commit', drop: 'after' });
};

const breakFirestore: BrowserCommand<[string, 'fail' | 'hang']> = (_, url, how) => backendOf(url).breakDown(how);

const welcomedBy: BrowserCommand<[string]> = (_, url): string[] => [...backendOf(url).callables.welcomed];

const stopFirestore: BrowserCommand<[string]> = async (_, url) => {
  await backendOf(url).stop();
  backends.delete(url);
};

export const backendCommands = { startFirestore, loseNextAnswer, breakFirestore, welcomedBy, stopFirestore };

declare module 'vitest/browser' {
  interface BrowserCommands {
    startFirestore: (options: { adminEmail: string }) => Promise<BackendUrls>;
    breakFirestore: (url: string, how: 'fail' | 'hang') => Promise<void>;
    loseNextAnswer: (url: string) => Promise<void>;
    welcomedBy: (url: string) => Promise<string[]>;
    stopFirestore: (url: string) => Promise<void>;
  }
}
