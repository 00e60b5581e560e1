import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FirestoreFake, startFirestoreFake } from '@early-access-kit/firestore-fake';
import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import { generateRules } from '../../../early-access-firebase/src/rules/generate-rules.ts';
import { type FirestoreAdapterOptions, firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { type AdminDatabase, adminDatabase } from './admin-database.ts';
import { type Callables, serveCallables } from './callables.ts';

/** The deployed rules. */
export const RULES = readFileSync(new URL('../../../early-access-firebase/firestore.rules', import.meta.url), 'utf8');

/** A database with the project's rules, and fakes of the two functions. */
export interface Backend {
  readonly projectId: string;
  /** Firestore's REST API. */
  readonly url: string;
  readonly callables: Callables;
  /** Bypasses the rules, through the official SDK. */
  readonly admin: AdminDatabase;
  /** Another visitor's page. */
  visitor(options?: Partial<FirestoreAdapterOptions>): StorageAdapter;
  stop(): Promise<void>;
}

/** A backend whose Firestore is the in-memory one, which can fail on request and whose clock can be set. */
export interface FakeBackend extends Backend {
  readonly fake: FirestoreFake;
  /** Makes Firestore and the functions fail with status 500, or never respond. */
  breakDown(how: 'fail' | 'hang'): void;
}

export interface BackendOptions {
  adminEmail?: string | undefined;
  now?: (() => number) | undefined;
  /** The fields that the site adds to the form. */
  fields?: FieldDeclarations;
  /** Generates rules that let no browser write signups. */
  humanCheck?: boolean;
}

export async function startFakeBackend(options: BackendOptions = {}): Promise<FakeBackend> {
  const projectId = newProjectId();
  const { now = Date.now } = options;
  const fake = await startFirestoreFake({ projectId, rules: generateRules(RULES, options), now });
  const backend = await serve({ projectId, url: fake.restUrl }, options);
  return {
    ...backend,
    fake,
    breakDown(how) {
      fake.faults.always(how === 'fail' ? { status: 500 } : { hang: true });
      backend.callables.breakDown(how);
    },
    async stop() {
      await backend.stop();
      await fake.stop();
    },
  };
}

/** Uses Google's emulator at this host, or the in-memory Firestore if there is none. */
export async function startBackend(host: string | null, options: Omit<BackendOptions, 'now'> = {}): Promise<Backend> {
  if (!host) return startFakeBackend(options);
  const projectId = newProjectId();
  const emulator = connectFirestoreEmulator(host);
  await emulator.setRules(projectId, generateRules(RULES, options));
  return serve({ projectId, url: emulator.url }, options);
}

export function newProjectId(): string {
  return `demo-${randomUUID()}`;
}

async function serve(
  { projectId, url }: { readonly projectId: string; readonly url: string },
  { adminEmail = 'admin@example.com', now = Date.now, fields }: BackendOptions,
): Promise<Backend> {
  const admin = adminDatabase(projectId, url, fields);
  const callables = await serveCallables({ admin, adminEmail, now });
  const emulator = { firestore: url, functions: callables.url };
  return {
    projectId,
    url,
    callables,
    admin,
    visitor: (more) => firestoreAdapter({ projectId, apiKey: 'demo-key', emulator, ...more }),
    async stop() {
      await admin.close();
      await callables.stop();
    },
  };
}
