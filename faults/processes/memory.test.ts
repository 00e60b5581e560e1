import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { memoryOf } from '@early-access-kit/testkit/memory';
import { expect, it } from 'vitest';
import { signUp } from '../support/crowd.ts';
import { startDeployment } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const PEOPLE = rounds({ short: 3_000, long: 100_000 });
const AT_A_TIME = 64;
/** Of the server's process, with Node's own 80 MB, however long it runs. */
const MAX_MEGABYTES = 256;
/** What the second half may add to it: the caches of a new server are full by then, and V8's heap goes up and down. */
const MAX_GROWTH = 1.1;

/** Signs so many people up, each with a client address of their own. */
async function signPeopleUp(url: string, people: number): Promise<void> {
  const ledger = emptyLedger();
  let left = people;
  async function visitor(): Promise<void> {
    while (left > 0) {
      left -= 1;
      expect(await signUp(url, `${crypto.randomUUID()}@example.org`, ledger)).toBe(true);
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, visitor));
}

it(`holds its memory while ${PEOPLE} people sign up`, { timeout: 1_200_000 }, async () => {
  // Emails are read and not stored, because they are many.
  const deployment = await startDeployment({
    onData: (stream, _, callback) => void stream.resume().on('end', () => callback()),
  });
  const server = await deployment.serve();
  await signPeopleUp(server.origin, PEOPLE / 2);
  const half = memoryOf(server.pid);
  await signPeopleUp(server.origin, PEOPLE / 2);
  const { most } = memoryOf(server.pid);
  report(
    'memory: at its peak, after half of the signups and after all, MB',
    `${half.most.toFixed(0)}, ${most.toFixed(0)}`,
  );
  expect(most).toBeLessThan(MAX_MEGABYTES);
  expect(most / half.most).toBeLessThan(MAX_GROWTH);
});
