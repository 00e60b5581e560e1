import { readFileSync } from 'node:fs';
import { type FirestoreFake, startFirestoreFake } from '@early-access-kit/firestore-fake';
import { generateRules } from '../../../firebase/src/rules/generate-rules.ts';
import { type FirestoreAdapterOptions, firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { type AdminDatabase, adminDatabase } from './admin-database.ts';
import { type Callables, serveCallables } from './callables.ts';

/** The deployed rules. */
export const RULES = readFileSync(new URL('../../../firebase/firestore.rules', import.meta.url), 'utf8');

export const PROJECT_ID = 'demo-early-access';

export interface Backend {
  readonly fake: FirestoreFake;
  readonly callables: Callables;
  /** Bypasses the rules, through the official SDK. */
  readonly admin: AdminDatabase;
  /** Another visitor's page. */
  visitor(options?: Partial<FirestoreAdapterOptions>): StorageAdapter;
  /** From now on Firestore and the functions fail with status 500, or never respond. */
  breakDown(how: 'fail' | 'hang'): void;
  stop(): Promise<void>;
}

export interface BackendOptions {
  adminEmail?: string | undefined;
  now?: (() => number) | undefined;
  /** The fields that the site adds to the form. */
  fields?: FieldDeclarations;
  /** Generates rules that let no browser write signups. */
  humanCheck?: boolean;
}

/** Starts an empty database with the project's rules, and fakes of the two functions. */
export async function startBackend(options: BackendOptions = {}): Promise<Backend> {
  const { adminEmail = 'admin@example.com', now = Date.now } = options;
  const rules = generateRules(RULES, options);
  const fake = await startFirestoreFake({ projectId: PROJECT_ID, rules, now });
  const admin = adminDatabase(PROJECT_ID, fake.restUrl, options.fields);
  const callables = await serveCallables({ admin, adminEmail, now });
  return {
    fake,
    callables,
    admin,
    visitor: (more) =>
      firestoreAdapter({
        projectId: PROJECT_ID,
        apiKey: 'demo-key',
        emulator: { firestore: fake.restUrl, functions: callables.url },
        ...more,
      }),
    breakDown(how) {
      fake.faults.always(how === 'fail' ? { status: 500 } : { hang: true });
      callables.breakDown(how);
    },
    async stop() {
      await admin.close();
      await callables.stop();
      await fake.stop();
    },
  };
}
