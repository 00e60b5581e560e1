import { runAdapterContract } from '../testing/adapter-contract.ts';
import { memoryAdapter, memoryStore } from './memory.ts';

runAdapterContract({
  name: 'memoryAdapter',
  create: ({ adminEmail, now }) => {
    const store = memoryStore();
    return { store, adapter: memoryAdapter({ adminEmail, now, store }) };
  },
  inspect: ({ store }) => ({
    signups: [...store.signups.values()],
    sessions: [...store.sessions.values()],
    welcomed: store.welcomed,
  }),
  capabilities: { clock: true },
});
