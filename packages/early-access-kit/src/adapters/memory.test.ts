import { expect, it } from 'vitest';
import { failureOf } from '../testing/contract.ts';
import { runAdapterContract } from '../testing.ts';
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
        for (const part of [store.signups, store.sessions, store.welcomed]) Object.setPrototypeOf(part, null);
      },
    },
  },
});

it.each(['', 'x'.repeat(1_001), ' '])('returns the summary to no one if the admin email is %j', async (adminEmail) => {
  for (const given of ['', ' ', 'y'.repeat(1_001), adminEmail]) {
    expect(await failureOf(memoryAdapter({ adminEmail }).readSummary(given))).toBe('forbidden');
  }
});
