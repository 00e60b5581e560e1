import { commands } from 'vitest/browser';
import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import { runAdapterContract } from '../../src/testing.ts';
import { adminDatabase } from '../firestore/admin-database.ts';

const PROJECT_ID = 'demo-early-access';

runAdapterContract({
  name: 'firestoreAdapter, in a page of another origin,',
  create: async ({ adminEmail, deadlineMs }) => {
    const emulator = await commands.startFirestore({ adminEmail });
    return {
      url: emulator.firestore,
      admin: adminDatabase(PROJECT_ID, emulator.firestore),
      adapter: firestoreAdapter({ projectId: PROJECT_ID, apiKey: 'demo-key', emulator, deadlineMs }),
    };
  },
  inspect: async ({ url, admin }) => ({
    signups: await admin.signups(),
    sessions: await admin.sessions(),
    welcomed: await commands.welcomedBy(url),
  }),
  dispose: async ({ url, admin }) => {
    await admin.close();
    await commands.stopFirestore(url);
  },
  capabilities: {
    loseAnswer: ({ url }) => commands.loseNextAnswer(url),
    breakStore: {
      fail: ({ url }) => commands.breakFirestore(url, 'fail'),
      hang: ({ url }) => commands.breakFirestore(url, 'hang'),
    },
  },
});
