import type {} from '@early-access-kit/testkit/firestore-setup';
import { inject } from 'vitest';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { runCapabilityContract } from '../../src/testing/capability-contract.ts';
import type { AdapterContract } from '../../src/testing/contract.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { type Backend, type FakeBackend, startBackend, startFakeBackend } from './backend.ts';

/** Fields of every type, whose texts mean something to the language of the rules and to patterns. */
const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  size: { type: 'url', label: 'Its name is a method of the rules' },
  match: { type: 'select', label: 'Team', options: ["it's just me", '2|3', { value: '.*', label: 'More' }] },
  news: { type: 'checkbox', label: 'News' },
  terms: { type: 'checkbox', label: "I agree'); // 漢字 \\ 😀", consent: true, acceptedTexts: ['Acepto los términos'] },
};

interface Subject<B extends Backend> {
  readonly backend: B;
  readonly adapter: StorageAdapter;
}

const inspection = {
  inspect: async ({ backend: { admin, callables } }: Subject<Backend>) => ({
    signups: await admin.signups(),
    sessions: await admin.sessions(),
    welcomed: callables.welcomed,
  }),
  dispose: ({ backend }: Subject<Backend>) => backend.stop(),
};

const inMemory: AdapterContract<Subject<FakeBackend>> = {
  name: 'firestoreAdapter, on the in-memory Firestore,',
  fields: FIELDS,
  create: async ({ deadlineMs, ...options }) => {
    const backend = await startFakeBackend({ ...options, fields: FIELDS });
    return { backend, adapter: backend.visitor({ deadlineMs }) };
  },
  ...inspection,
  capabilities: {
    clock: true,
    loseAnswer: ({ backend }) => backend.fake.faults.next({ verb: 'commit', drop: 'after' }),
    breakStore: {
      fail: ({ backend }) => backend.breakDown('fail'),
      hang: ({ backend }) => backend.breakDown('hang'),
    },
  },
};

const emulator = inject('firestoreEmulator');
if (emulator) {
  runAdapterContract<Subject<Backend>>({
    name: 'firestoreAdapter, on Google’s emulator,',
    fields: FIELDS,
    create: async ({ adminEmail }) => {
      const backend = await startBackend(emulator, { adminEmail, fields: FIELDS });
      return { backend, adapter: backend.visitor() };
    },
    ...inspection,
  });
  runCapabilityContract(inMemory);
} else {
  runAdapterContract(inMemory);
}
