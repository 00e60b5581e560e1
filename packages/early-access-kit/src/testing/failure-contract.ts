import { describe, expect, it } from 'vitest';
import type { StorageAdapter, StorageCall } from '../core/adapter.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';
import { ADMIN_EMAIL, getFailureCode, type OptionalCall, type WithFixture } from './contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from './examples.ts';
import { optionalCalls } from './optional-contract.ts';

/** `createSignup` makes two attempts, each within the deadline; the rest is a margin for slow machines. */
const LONGEST_CALL_MS = 2 * CALL_DEADLINE_MS + 2_000;

export function failureContract(
  withFixture: WithFixture,
  can: { readonly hang: boolean },
  served: readonly OptionalCall[],
): void {
  describe('with a broken store', () => {
    it(
      'every call rejects with a StorageError with code unavailable',
      withFixture(async ({ adapter, clock, breakStore }) => {
        const calls = eachCall(adapter, clock.now, served);
        await prepare(adapter, clock.now);
        await breakStore('fail');
        for (const [name, call] of calls) {
          const failure = await getFailureCode(call());
          // A store may accept a welcome email request, or return inbox texts, without accessing the database.
          if (!['sendWelcomeEmail', 'inbox'].includes(name) || failure !== 'none') {
            expect([name, failure]).toEqual([name, 'unavailable']);
          }
        }
      }),
      LONGEST_CALL_MS * 5,
    );

    if (can.hang) {
      it(
        'every call ends within the deadline if the store never responds',
        withFixture(
          async ({ adapter, clock, breakStore }) => {
            await prepare(adapter, clock.now);
            await breakStore('hang');
            const started = performance.now();
            const failures = eachCall(adapter, clock.now, served).map(async ([name, call]) => [
              name,
              await getFailureCode(call()),
            ]);
            for (const [name, failure] of await Promise.all(failures))
              expect([name, failure]).toEqual([name, 'unavailable']);
            expect(performance.now() - started).toBeLessThan(LONGEST_CALL_MS);
          },
          { deadlineMs: 500 },
        ),
        LONGEST_CALL_MS * 2,
      );
    }
  });
}

/** Makes a first call, because connections that are opened lazily must be open before the store breaks. */
async function prepare(adapter: StorageAdapter, now: number): Promise<void> {
  await adapter.startSession(exampleSession(now));
}

function eachCall(
  adapter: StorageAdapter,
  now: number,
  served: readonly OptionalCall[],
): [StorageCall, () => Promise<unknown>][] {
  const session = exampleSession(now);
  return [
    ['createSignup', () => adapter.createSignup(exampleSignup())],
    ['sendWelcomeEmail', () => adapter.sendWelcomeEmail('ada@example.org')],
    ['startSession', () => adapter.startSession(session)],
    ['updateSession', () => adapter.updateSession(session.id, exampleUpdate(session))],
    ['readSummary', () => adapter.readSummary(ADMIN_EMAIL)],
    ...optionalCalls(adapter, served),
  ];
}
