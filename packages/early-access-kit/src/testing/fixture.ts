import { ADMIN_EMAIL, type AdapterContract, type ContractSubject, type WithFixture } from './contract.ts';

/** Returns a function that runs each test with its own subject. */
export function createFixture<Subject extends ContractSubject>(contract: AdapterContract<Subject>): WithFixture {
  const { capabilities = {} } = contract;
  return (test, options) => async () => {
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
}
