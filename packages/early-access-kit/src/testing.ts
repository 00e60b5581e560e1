import { describe } from 'vitest';
import { ADMIN_EMAIL, type AdapterContract, type ContractSubject, type WithFixture } from './testing/contract.ts';
import { failureContract } from './testing/failure-contract.ts';
import { fieldContract } from './testing/field-contract.ts';
import { sessionContract } from './testing/session-contract.ts';
import { signupContract } from './testing/signup-contract.ts';
import { summaryContract } from './testing/summary-contract.ts';
import { welcomeContract } from './testing/welcome-contract.ts';

export type { AdapterContract, ContractSubject, StoreContents } from './testing/contract.ts';

/**
 * Declares the test suite that every `StorageAdapter` must pass, under Vitest, in Node or in a browser. Each test creates its own
 * subject, so their order does not matter. Call it once per adapter, at the top level of a test file. Behaviour that needs a capability
 * is only checked if the contract has that capability.
 */
export function runAdapterContract<Subject extends ContractSubject>(contract: AdapterContract<Subject>): void {
  const { capabilities = {} } = contract;
  const withFixture: WithFixture = (test, options) => async () => {
    const clock = { now: Date.now() };
    const subject = await contract.create({ adminEmail: ADMIN_EMAIL, now: () => clock.now, ...options });
    try {
      await test({
        adapter: subject.adapter,
        clock,
        contents: async () => contract.inspect(subject),
        loseAnswer: async () => capabilities.loseAnswer?.(subject),
        breakStore: async (how) => capabilities.breakStore?.[how]?.(subject),
      });
    } finally {
      await contract.dispose?.(subject);
    }
  };
  describe(`${contract.name} fulfils the adapter contract`, () => {
    signupContract(withFixture, { loseAnswer: capabilities.loseAnswer !== undefined });
    if (contract.fields !== undefined) fieldContract(withFixture, contract.fields);
    welcomeContract(withFixture);
    sessionContract(withFixture);
    summaryContract(withFixture, { clock: capabilities.clock === true });
    failureContract(withFixture, {
      fail: capabilities.breakStore !== undefined,
      hang: capabilities.breakStore?.hang !== undefined,
    });
  });
}
