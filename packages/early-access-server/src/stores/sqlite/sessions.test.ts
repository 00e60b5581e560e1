import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';

const NOON = Date.UTC(2026, 4, 1, 12);

it('removes the hash of an erased session after the retention, and not before', async () => {
  const clock = { now: NOON };
  const { store, raw } = tempStore({ clock: () => clock.now });
  await store.createSignup(signupOf({ email: 'me@example.org', session_id: sessionOf().id }));
  await store.erase('me@example.org');
  const hashes = () => readValue(raw, 'SELECT count(*) FROM erased_sessions');
  expect([await store.prune(clock.now, 10), hashes()]).toEqual([0, 1]);
  expect([await store.prune(clock.now + 1, 10), hashes()]).toEqual([1, 0]);
});
