import type { AdapterContract, ContractSubject, WithFixture } from './contract.ts';
import { failureContract } from './failure-contract.ts';
import { lostAnswerContract } from './signup-contract.ts';
import { clockContract } from './summary-contract.ts';

/** The tests that require control over the store. */
export function capabilityContract<Subject extends ContractSubject>(
  withFixture: WithFixture,
  {
    capabilities: { loseAnswer, clock, breakStore } = {},
    optional = [],
  }: Pick<AdapterContract<Subject>, 'capabilities' | 'optional'>,
): void {
  if (loseAnswer) lostAnswerContract(withFixture);
  if (clock) clockContract(withFixture);
  if (breakStore) failureContract(withFixture, { hang: breakStore.hang !== undefined }, optional);
}
