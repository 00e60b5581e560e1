import { expect, it, vi } from 'vitest';
import { jobContext } from '../../fixtures/job-context.ts';
import { type BulkAction, startBulk } from './bulk.ts';
import { runBulk } from './bulk-job.ts';
import { EVERYONE, MAX_PAGE } from './people.ts';

/** A store with this many people, and an action on all of them. */
async function begin(action: BulkAction, people: number) {
  let wakes = 0;
  const context = { ...jobContext({ wakeMail: () => void wakes++, clock: () => 10 }), copies: null };
  const { store } = context;
  const person = (index: number) => ({
    ...{ email: `p${index}@x.io`, source: 'fair', created_at: 1, state: 'subscribed' as const },
    ...(index === 0 && { labels: ['VIP'] }),
  });
  await store.list.importPeople(
    Array.from({ length: people }, (_, index) => person(index)),
    { welcome: false },
  );
  const about = { action, labels: action === 'label' ? { add: ['VIP'], remove: [] } : null, people };
  await store.bulk.update((newest) =>
    startBulk(newest, { ...about, filter: EVERYONE, author: { session: 'one' } }, 10),
  );
  const run = (steps = 1_000) => {
    let left = steps;
    return runBulk(context, () => left-- > 0);
  };
  return { store, run, newest: async () => (await store.bulk.list(1))[0], wakes: () => wakes };
}

it('invites more people than fit into a part in one wave, and sends their emails at once', async () => {
  const { store, run, newest, wakes } = await begin('invite', MAX_PAGE + 2);
  // Two pages are collected, and the first part is invited.
  await run(3);
  await run();
  expect(await newest()).toMatchObject({ state: 'done', done: MAX_PAGE + 2, unchanged: 0, parts: 2 });
  expect(await store.list.waves(9)).toMatchObject([{ people: MAX_PAGE + 2 }]);
  expect(wakes()).toBe(2);
});

it('counts those whom an attempt has invited that ended before it could say so', async () => {
  const { store, run, newest, wakes } = await begin('invite', 2);
  await run(1);
  const { update } = store.bulk;
  let calls = 0;
  const spy = vi.spyOn(store.bulk, 'update').mockImplementation(async (decide) => {
    calls += 1;
    if (calls === 2) throw new Error('the disk is full');
    return update.call(store.bulk, decide);
  });
  await expect(run()).rejects.toThrow('the disk is full');
  spy.mockRestore();
  expect(await newest()).toMatchObject({ state: 'running', done: 0, lease: null });
  await run();
  expect(await newest()).toMatchObject({ state: 'done', done: 2, unchanged: 0 });
  expect(await store.list.waves(9)).toMatchObject([{ people: 2 }]);
  expect(wakes()).toBe(1);
});

it('counts people who have the label already as unchanged, and says how many were changed', async () => {
  const { store, run, newest } = await begin('label', 3);
  await run();
  expect(await newest()).toMatchObject({ state: 'done', done: 2, unchanged: 1 });
  expect(await store.admin.audit(1)).toMatchObject([{ action: 'label', count: 2 }]);
});

it('counts a person who is gone as erased, but as unchanged by other actions', async () => {
  for (const [action, outcome] of [
    ['forget', 'done'],
    ['label', 'unchanged'],
  ] as const) {
    const { store, run, newest } = await begin(action, 2);
    await run(1);
    await store.erase('p1@x.io');
    await run();
    expect(await newest()).toMatchObject({ state: 'done', [outcome]: 2 });
  }
});

it('does not write to the store while there is nothing to do', async () => {
  const { store, run } = await begin('unsubscribe', 1);
  await run();
  const update = vi.spyOn(store.bulk, 'update');
  await run();
  expect(update).not.toHaveBeenCalled();
});
