import { expect, it } from 'vitest';
import { runAdapterContract } from '../testing/adapter-contract.ts';
import { failureOf } from '../testing/contract.ts';
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
  capabilities: {
    clock: true,
    breakStore: {
      fail({ store }) {
        // Every read and write of the maps fails, and so do `size` and `includes`.
        const broken = () => {
          throw new Error('the database is closed');
        };
        for (const part of [store.signups, store.sessions, store.welcomed]) {
          for (const name of ['get', 'has', 'set', 'values', 'size', 'includes', 'push']) {
            Object.defineProperty(part, name, { get: broken });
          }
        }
      },
    },
  },
});

it.each(['', 'x'.repeat(1_001), ' '])('shows the numbers to nobody if the admin address is %j', async (adminEmail) => {
  for (const given of ['', ' ', 'y'.repeat(1_001), adminEmail]) {
    expect(await failureOf(memoryAdapter({ adminEmail }).readSummary(given))).toBe('forbidden');
  }
});
