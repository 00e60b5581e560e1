import { describe } from 'vitest';
import type { AdapterContract, ContractSubject, WithFixture } from './contract.ts';
import { failureContract } from './failure-contract.ts';
import { createFixture } from './fixture.ts';
import { lostAnswerContract } from './signup-contract.ts';
import { clockContract } from './summary-contract.ts';

/** The tests that need capabilities, alone: an adapter may run all others on a store that cannot be controlled. */
export function runCapabilityContract<Subject extends ContractSubject>(contract: AdapterContract<Subject>): void {
  describe(contract.name, () => capabilityContract(createFixture(contract), contract));
}

export function capabilityContract<Subject extends ContractSubject>(
  withFixture: WithFixture,
  { capabilities: { loseAnswer, clock, breakStore } = {} }: Pick<AdapterContract<Subject>, 'capabilities'>,
): void {
  if (loseAnswer) lostAnswerContract(withFixture);
  if (clock) clockContract(withFixture);
  if (breakStore) failureContract(withFixture, { hang: breakStore.hang !== undefined });
}
