import { expect, it, onTestFinished, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { pendingJob } from './pending-job.ts';

/** A job for a list on which this number of people must be reminded or erased. */
function createJob(people: number) {
  const seen = { left: people, batches: [] as number[], wakes: 0, events: [] as string[] };
  const context = jobContext({
    wakeMail: () => {
      seen.wakes += 1;
    },
    log: (_, event) => seen.events.push(event),
  });
  vi.spyOn(context.store.list, 'tidyPending').mockImplementation(async (limit) => {
    if (people < 0) throw new Error('disk full');
    const done = Math.min(limit, seen.left);
    seen.left -= done;
    seen.batches.push(done);
    return done;
  });
  const job = pendingJob(context);
  return { job, seen };
}

it('tidies in batches until nothing is left, and wakes the mail after each', async () => {
  const { job, seen } = createJob(450);
  await job.runOnce(() => true);
  expect(seen).toMatchObject({ batches: [200, 200, 50, 0], wakes: 3 });
});

it('begins no further batch when the time is up', async () => {
  const { job, seen } = createJob(450);
  await job.runOnce(() => seen.batches.length < 1);
  expect(seen).toMatchObject({ batches: [200], wakes: 1, left: 250 });
});

it('logs a store that fails', async () => {
  const { job, seen } = createJob(-1);
  const running = job.start();
  onTestFinished(() => running.stop(0));
  await until(() => expect(seen.events).toEqual(['pending-failed']));
});
