import { signupOf } from '@early-access-kit/testkit/records';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tempStore } from '../../fixtures/temp-store.ts';
import { forgetPerson } from './forget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A person whose message is being sent until `finish` is called. */
async function harness() {
  const { store } = tempStore();
  const email = 'ada@example.org';
  await store.createSignup(signupOf({ email }));
  const message = await store.mails.due().claimNext();
  if (typeof message === 'string') throw new Error('there is no message');
  const remove = vi.fn(async () => 2);
  const forget = (evenWhileSending: boolean, copies = { remove }) =>
    forgetPerson({ store, email, copies, evenWhileSending });
  const finish = () => store.mails.recordOutcome(message, { state: 'sent' });
  const isStored = () => store.createSignup(signupOf({ email })).then((result) => result === 'duplicate');
  return { store, email, key: message.messageKey, remove, forget, finish, isStored };
}

describe('forgetPerson', () => {
  it('erases a person and the copies of their emails', async () => {
    const { forget, finish, remove, email, key } = await harness();
    await finish();
    expect(await forget(false)).toMatchObject({ erased: { messageKeys: [key] }, files: 2, isDelivered: true });
    expect(remove).toHaveBeenCalledExactlyOnceWith(email, [key]);
  });

  it('removes copies also of someone who is erased already', async () => {
    const { forget, finish, remove, email } = await harness();
    await finish();
    await forget(false);
    expect(await forget(false)).toMatchObject({ erased: null, files: 2 });
    expect(remove).toHaveBeenLastCalledWith(email, []);
  });

  it('waits for a delivery that may still write a copy, and erases nothing if it takes too long', async () => {
    const { forget, remove, isStored } = await harness();
    const forgotten = forget(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await forgotten).toBeNull();
    expect(remove).not.toHaveBeenCalled();
    expect(await isStored()).toBe(true);
  });

  it('erases once the delivery ends', async () => {
    const { forget, finish } = await harness();
    const forgotten = forget(false);
    await vi.advanceTimersByTimeAsync(4_000);
    await finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(await forgotten).toMatchObject({ isDelivered: true });
  });

  it('erases all the same if asked to, and says that a copy may be left', async () => {
    const { forget, isStored } = await harness();
    const forgotten = forget(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await forgotten).toMatchObject({ isDelivered: false, files: 2 });
    expect(await isStored()).toBe(false);
  });

  it('waits for no delivery that writes no copies', async () => {
    const { store, email } = await harness();
    expect(await forgetPerson({ store, email, copies: null, evenWhileSending: false })).toMatchObject({
      files: 0,
      isDelivered: true,
    });
  });
});
