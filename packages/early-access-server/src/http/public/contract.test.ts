import { EXAMPLE_DECLARATIONS } from '@early-access-kit/testkit/fields';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { StorageAdapter } from 'early-access-kit/core';
import { runAdapterContract } from 'early-access-kit/testing';
import { vi } from 'vitest';
import { type ContractStore, contractStore } from '../../fixtures/contract-store.ts';
import { type Listening, listen } from '../server/listen.ts';
import { createRoutes } from '../server/routes.ts';

interface HttpSubject extends ContractStore {
  readonly adapter: StorageAdapter;
  readonly listening: Listening;
}

runAdapterContract<HttpSubject>({
  name: 'httpAdapter over the listening server',
  async create({ adminEmail, now, deadlineMs }) {
    const kept = contractStore(now);
    const options = { clock: now, adminEmail, fields: EXAMPLE_DECLARATIONS };
    const app = createRoutes({ store: kept.store, wakeMail: kept.worker.wake, ...options });
    const listening = await listen({ app, port: 0, hosts: ['127.0.0.1'] });
    return {
      ...kept,
      listening,
      adapter: httpAdapter({ endpoint: `http://127.0.0.1:${listening.port}/api`, deadlineMs }),
    };
  },
  fields: EXAMPLE_DECLARATIONS,
  inspect: ({ contents }) => contents(),
  async dispose({ listening, close }) {
    vi.restoreAllMocks();
    await listening.close(0);
    await close();
  },
  capabilities: {
    clock: true,
    loseAnswer() {
      const realFetch = fetch;
      vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...call) => {
        const response = await realFetch(...call);
        await response.body?.cancel();
        throw new TypeError('the connection broke');
      });
    },
    breakStore: {
      fail: ({ breakDatabase }) => breakDatabase(),
      hang() {
        vi.spyOn(globalThis, 'fetch').mockImplementation(
          (_, init) =>
            new Promise((_resolve, reject) =>
              init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
            ),
        );
      },
    },
  },
});
