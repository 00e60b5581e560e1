import { describe, expect, it } from 'vitest';
import type { StorageAdapter } from '../core/adapter.ts';
import type { OptionalCall, WithFixture } from './contract.ts';
import { exampleSignup } from './examples.ts';

/** Calls each optional method that the subject's store supports. */
export function optionalCalls(
  adapter: StorageAdapter,
  served: readonly OptionalCall[],
): [OptionalCall, () => Promise<unknown>][] {
  const calls: [OptionalCall, () => Promise<unknown>][] = [
    ['inbox', async () => adapter.inbox?.(exampleSignup())],
    ['share', async () => adapter.share?.(exampleSignup())],
    ['count', async () => adapter.count?.()],
  ];
  return calls.filter(([name]) => served.includes(name));
}

/** Tests the optional methods that the subject's store supports. */
export function optionalContract(withFixture: WithFixture, served: readonly OptionalCall[]): void {
  if (served.includes('inbox'))
    describe('inbox', () => {
      it(
        'returns the same texts whether or not the address is stored',
        withFixture(async ({ adapter }) => {
          const signup = exampleSignup();
          await adapter.createSignup(signup);
          const [own, other] = await Promise.all([adapter.inbox?.(signup), adapter.inbox?.(exampleSignup())]);
          expect(own).toMatchObject({ successTitle: expect.stringMatching(/\S/) });
          expect(other).toEqual(own);
        }),
      );
    });

  if (served.includes('share'))
    describe('share', () => {
      it(
        'returns the same link of a signup each time to the browser that made it, and to no other',
        withFixture(async ({ adapter }) => {
          const [signup, stranger] = [exampleSignup(), exampleSignup()];
          await adapter.createSignup(signup);
          const link = await adapter.share?.(signup);
          expect(link).toMatchObject({ url: expect.stringMatching(/^https?:/), title: expect.stringMatching(/\S/) });
          expect((await adapter.share?.(signup))?.url).toBe(link?.url);
          expect(await adapter.share?.({ ...signup, submission_id: stranger.submission_id })).toBeUndefined();
          expect(await adapter.share?.(stranger)).toBeUndefined();
        }),
      );
    });

  if (served.includes('count'))
    describe('count', () => {
      it(
        'returns at most the number of people who have joined',
        withFixture(async ({ adapter }) => {
          const signup = exampleSignup();
          for (const each of [signup, exampleSignup(), exampleSignup(), signup]) await adapter.createSignup(each);
          const count = await adapter.count?.();
          expect([1, 2, 3]).toContain(count);
        }),
      );
    });
}
