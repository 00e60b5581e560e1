import { memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { type AdapterContract, type ContractSubject, runAdapterContract } from 'early-access-kit/testing';

const contract: AdapterContract<ContractSubject & { store: ReturnType<typeof memoryStore> }> = {
  name: 'an adapter',
  create({ adminEmail, now }) {
    const store = memoryStore();
    return { store, adapter: memoryAdapter({ adminEmail, now, store }) };
  },
  inspect: ({ store }) => ({
    signups: [...store.signups.values()],
    sessions: [...store.sessions.values()],
    welcomed: store.welcomed,
  }),
};

export const declareSuite = () => runAdapterContract(contract);
