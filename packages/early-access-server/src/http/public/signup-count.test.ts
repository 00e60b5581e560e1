import { signupOf } from '@early-access-kit/testkit/records';
import { MINUTE_MS } from 'early-access-kit/internal';
import { expect, it, vi } from 'vitest';
import type { PersonState } from '../../app/lifecycle/states.ts';
import { signupCount } from '../../app/people/signup-count.ts';
import { type AppHarness, appHarness } from '../../fixtures/app-harness.ts';

const read = ({ get }: AppHarness) => get('/api/count');

it('GET /api/count does not exist unless it is allowed', async () => {
  expect((await read(appHarness())).status).toBe(404);
});

it('GET /api/count tells any page, and may be cached', async () => {
  const harness = appHarness({ signupCount: { smallest: 2, rounding: 'exact' } });
  await harness.store.createSignup(signupOf({ email: 'ada@example.org' }));
  const response = await read(harness);
  expect(await response.text()).toBe('{"count":null}');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  await harness.store.createSignup(signupOf({ email: 'bob@example.org' }));
  harness.clock.now += MINUTE_MS;
  expect(await (await read(harness)).json()).toEqual({ count: 2 });
});

it('people who have not confirmed do not count', async () => {
  const harness = appHarness({ confirm: true, signupCount: { smallest: 1, rounding: 'exact' } });
  await harness.store.createSignup(signupOf());
  expect(await (await read(harness)).json()).toEqual({ count: null });
});

const COUNTS = new Map<PersonState, number>([
  ...([
    ['pending', 1_000],
    ['subscribed', 1_200],
    ['invited', 30],
    ['joined', 9],
  ] as const),
  ...([
    ['unsubscribed', 500],
    ['bounced', 500],
  ] as const),
]);

it.each([
  [1, 'exact', 1_239],
  [1, undefined, 1_230],
  [1, 'hundreds', 1_200],
  [1_239, 'hundreds', 1_200],
  [1_240, 'hundreds', null],
] as const)('from %i on, rounded to %s: %j', async (smallest, rounding, count) => {
  const store = { confirm: true, list: { counts: async () => COUNTS } };
  expect(await signupCount({ smallest, rounding }, { store, clock: Date.now })()).toBe(count);
});

it('a number that is rounded down to 0 is not shown', async () => {
  const list = { counts: async () => new Map<PersonState, number>([['subscribed', 9]]) };
  expect(await signupCount({ smallest: 1 }, { store: { confirm: true, list }, clock: Date.now })()).toBeNull();
});

it('the store is asked once a minute, and again after a failure', async () => {
  const counts = vi.fn(async () => COUNTS).mockRejectedValueOnce(new Error('away'));
  const clock = { now: 0 };
  const readCount = signupCount(
    { smallest: 1 },
    { store: { confirm: true, list: { counts } }, clock: () => clock.now },
  );
  await expect(readCount()).rejects.toThrow('away');
  await Promise.all([readCount(), readCount()]);
  expect(counts).toHaveBeenCalledTimes(2);
  clock.now = MINUTE_MS;
  await readCount();
  expect(counts).toHaveBeenCalledTimes(3);
});
