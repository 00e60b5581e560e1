import type {} from '@early-access-kit/testkit/firestore-setup';
import { inject } from 'vitest';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { type Backend, startBackend } from './backend.ts';

/** Fields of every type. Their texts contain characters with a meaning in the rules' language and in patterns. */
const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  size: { type: 'url', label: 'Its name is a method of the rules' },
  match: { type: 'select', label: 'Team', options: ["it's just me", '2|3', { value: '.*', label: 'More' }] },
  news: { type: 'checkbox', label: 'News' },
  terms: { type: 'checkbox', label: "I agree'); // 漢字 \\ 😀", consent: true, acceptedTexts: ['Acepto los términos'] },
};

interface Subject {
  readonly backend: Backend;
  readonly adapter: StorageAdapter;
}

runAdapterContract<Subject>({
  name: 'firestoreAdapter, on Google’s emulator,',
  fields: FIELDS,
  create: async ({ adminEmail, deadlineMs }) => {
    const backend = await startBackend(inject('firestoreEmulator'), { adminEmail, fields: FIELDS });
    return { backend, adapter: backend.visitor({ deadlineMs }) };
  },
  inspect: async ({ backend: { admin, callables } }) => ({
    signups: await admin.signups(),
    sessions: await admin.sessions(),
    welcomed: callables.welcomed,
  }),
  dispose: ({ backend }) => backend.stop(),
  capabilities: {
    loseAnswer: ({ backend }) => backend.database.faults.next({ verb: 'commit', drop: 'after' }),
    breakStore: {
      fail: ({ backend }) => backend.breakDown('fail'),
      hang: ({ backend }) => backend.breakDown('hang'),
    },
  },
});
