import type {} from '@early-access-kit/testkit/firestore-setup';
import { inject } from 'vitest';
import { commands } from 'vitest/browser';
import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import { runCapabilityContract } from '../../src/testing/capability-contract.ts';
import type { AdapterContract } from '../../src/testing/contract.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { type AdminDatabase, adminDatabase } from '../firestore/admin-database.ts';

interface Subject {
  readonly projectId: string;
  readonly admin: AdminDatabase;
  readonly adapter: StorageAdapter;
}

function createContract(engine: string, emulator: string | null): AdapterContract<Subject> {
  return {
    name: `firestoreAdapter, in a page of another origin, on ${engine},`,
    create: async ({ adminEmail, deadlineMs }) => {
      const { projectId, urls } = await commands.startFirestore({ adminEmail, emulator });
      const admin = adminDatabase(projectId, urls.firestore);
      return {
        projectId,
        admin,
        adapter: firestoreAdapter({ projectId, apiKey: 'demo-key', emulator: urls, deadlineMs }),
      };
    },
    inspect: async ({ projectId, admin }) => ({
      signups: await admin.signups(),
      sessions: await admin.sessions(),
      welcomed: await commands.listWelcomed(projectId),
    }),
    dispose: async ({ projectId, admin }) => {
      await admin.close();
      await commands.stopFirestore(projectId);
    },
  };
}

const inMemory: AdapterContract<Subject> = {
  ...createContract('the in-memory Firestore', null),
  capabilities: {
    loseAnswer: ({ projectId }) => commands.loseNextAnswer(projectId),
    breakStore: {
      fail: ({ projectId }) => commands.breakFirestore(projectId, 'fail'),
      hang: ({ projectId }) => commands.breakFirestore(projectId, 'hang'),
    },
  },
};

const emulator = inject('firestoreEmulator');
if (emulator) {
  runAdapterContract(createContract('Google’s emulator', emulator));
  runCapabilityContract(inMemory);
} else {
  runAdapterContract(inMemory);
}
