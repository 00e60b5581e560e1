import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { adminDatabase } from './admin-database.ts';
import { erase } from './admin-rest.ts';
import { PROJECT_ID, startBackend } from './backend.ts';
import { serveCallables } from './callables.ts';
import { EMULATOR_URL } from './target.ts';

/** Fields of every type, whose texts mean something to the language of the rules and to patterns. */
const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  size: { type: 'url', label: 'Its name is a method of the rules' },
  match: { type: 'select', label: 'Team', options: ["it's just me", '2|3', { value: '.*', label: 'More' }] },
  news: { type: 'checkbox', label: 'News' },
  terms: { type: 'checkbox', label: "I agree'); // 漢字 \\ 😀", consent: true, acceptedTexts: ['Acepto los términos'] },
};

if (EMULATOR_URL) onEmulator(EMULATOR_URL);
else onFake();

function onFake(): void {
  runAdapterContract({
    name: 'firestoreAdapter',
    fields: FIELDS,
    create: async ({ deadlineMs, ...options }) => {
      const backend = await startBackend({ ...options, fields: FIELDS });
      return { backend, adapter: backend.visitor({ deadlineMs }) };
    },
    inspect: async ({ backend: { admin, callables } }) => ({
      signups: await admin.signups(),
      sessions: await admin.sessions(),
      welcomed: callables.welcomed,
    }),
    dispose: ({ backend }) => backend.stop(),
    capabilities: {
      clock: true,
      loseAnswer: ({ backend }) => backend.fake.faults.next({ verb: 'commit', drop: 'after' }),
      breakStore: {
        fail: ({ backend }) => backend.breakDown('fail'),
        hang: ({ backend }) => backend.breakDown('hang'),
      },
    },
  });
}

function onEmulator(url: string): void {
  runAdapterContract({
    name: 'firestoreAdapter, on Google’s emulator,',
    create: async ({ adminEmail }) => {
      await erase(url, ['email_signups', 'sessions', 'visitors']);
      const admin = adminDatabase(PROJECT_ID, url);
      const callables = await serveCallables({ admin, adminEmail, now: Date.now });
      const emulator = { firestore: url, functions: callables.url };
      const adapter = firestoreAdapter({ projectId: PROJECT_ID, apiKey: 'demo-key', emulator });
      return { admin, callables, adapter };
    },
    inspect: async ({ admin, callables }) => ({
      signups: await admin.signups(),
      sessions: await admin.sessions(),
      welcomed: callables.welcomed,
    }),
    async dispose({ admin, callables }) {
      await admin.close();
      await callables.stop();
    },
  });
}
