import type {} from '@early-access-kit/testkit/firestore-setup';
import { inject } from 'vitest';
import { commands } from 'vitest/browser';
import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { type AdminDatabase, adminDatabase } from '../firestore/admin-database.ts';

interface Subject {
  readonly projectId: string;
  readonly admin: AdminDatabase;
  readonly adapter: StorageAdapter;
}

runAdapterContract<Subject>({
  name: 'firestoreAdapter, in a page of another origin, on Google’s emulator,',
  create: async ({ adminEmail, deadlineMs }) => {
    const emulator = inject('firestoreEmulator');
    const { projectId, urls, adminUrl } = await commands.startFirestore({ adminEmail, emulator });
    const adapter = firestoreAdapter({ projectId, apiKey: 'demo-key', emulator: urls, deadlineMs });
    return { projectId, admin: adminDatabase(projectId, adminUrl), adapter };
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
  capabilities: {
    loseAnswer: ({ projectId }) => commands.loseNextAnswer(projectId),
    breakStore: {
      fail: ({ projectId }) => commands.breakFirestore(projectId, 'fail'),
      hang: ({ projectId }) => commands.breakFirestore(projectId, 'hang'),
    },
  },
});
