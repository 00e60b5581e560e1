export type { DatabaseUnderTest, OpenOptions, ReadBack, StoreContract, StoredMessage } from './testing/harness.ts';
export { runStoreContract } from './testing/store-contract.ts';
