export { type AdapterContract, type ContractSubject, runAdapterContract } from './testing/adapter-contract.ts';
export type { StoreContents } from './testing/contract.ts';
