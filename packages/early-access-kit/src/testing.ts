import { describe } from 'vitest';
import { capabilityContract } from './testing/capability-contract.ts';
import type { AdapterContract, ContractSubject } from './testing/contract.ts';
import { fieldContract } from './testing/field-contract.ts';
import { createFixture } from './testing/fixture.ts';
import { optionalContract } from './testing/optional-contract.ts';
import { sessionContract } from './testing/session-contract.ts';
import { signupContract } from './testing/signup-contract.ts';
import { summaryContract } from './testing/summary-contract.ts';
import { welcomeContract } from './testing/welcome-contract.ts';

export type { AdapterContract, ContractSubject, OptionalCall, StoreContents } from './testing/contract.ts';
export { exampleSession, exampleSignup, exampleUpdate } from './testing/examples.ts';

/**
 * Declares the test suite that every `StorageAdapter` must pass, under Vitest, in Node or in a browser. Each test
 * creates its own subject, so their order does not matter. Call it once per adapter, at the top level of a test file.
 * Behavior that needs a capability is only checked if the contract has that capability.
 *
 * @example
 * runAdapterContract({ name: 'my adapter', create: openAdapter, inspect: readRows, dispose: closeAdapter });
 */
export function runAdapterContract<Subject extends ContractSubject>(contract: AdapterContract<Subject>): void {
  const withFixture = createFixture(contract);
  describe(`${contract.name} fulfills the adapter contract`, () => {
    signupContract(withFixture);
    if (contract.fields !== undefined) fieldContract(withFixture, contract.fields);
    welcomeContract(withFixture);
    sessionContract(withFixture);
    summaryContract(withFixture);
    optionalContract(withFixture, contract.optional ?? []);
    capabilityContract(withFixture, contract);
  });
}
