import { afterEach, describe, expect, it, vi } from 'vitest';
import { exampleSession, exampleUpdate } from '../../testing/examples.ts';
import { COMMITTED, fakeFetch, json } from '../fake-fetch.fixture.ts';
import { firestoreAdapter } from '../firestore.ts';

const CONFIG = { projectId: 'shop', apiKey: 'k' };
const session = exampleSession(Date.now());

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const listHeaders = (fetch: ReturnType<typeof fakeFetch>) => fetch.mock.calls.map(([, { headers }]) => headers);
const committed = (count: number) => Array.from({ length: count }, () => json(COMMITTED));

describe('tokens', () => {
  it('are awaited before the first write and sent with every call', async () => {
    const fetch = fakeFetch(...committed(2));
    let arrive: (token: string) => void = () => {};
    const token = new Promise<string>((resolve) => {
      arrive = resolve;
    });
    const started = firestoreAdapter({ ...CONFIG, getAppCheckToken: () => token, getIdToken: () => 'id' }).startSession(
      session,
    );
    await Promise.resolve();
    expect(fetch).not.toHaveBeenCalled();
    arrive('app-check');
    await started;
    const headers = { 'X-Firebase-AppCheck': 'app-check', Authorization: 'Bearer id' };
    expect(listHeaders(fetch)).toEqual([headers, headers]);
  });

  it('are skipped after half the deadline, and used once they arrive', async () => {
    vi.useFakeTimers();
    const fetch = fakeFetch(...committed(3));
    let arrive: (token: string) => void = () => {};
    const token = new Promise<string>((resolve) => {
      arrive = resolve;
    });
    const adapter = firestoreAdapter({ ...CONFIG, getAppCheckToken: () => token, deadlineMs: 4_000 });
    const started = adapter.startSession(session);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await started;
    expect(listHeaders(fetch)).toEqual([{}, {}]);
    arrive('late');
    await vi.advanceTimersByTimeAsync(0);
    await adapter.updateSession(session.id, exampleUpdate(session), { final: true });
    expect(listHeaders(fetch).at(-1)).toEqual({ 'X-Firebase-AppCheck': 'late' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leave no timer running if they arrive in time', async () => {
    vi.useFakeTimers();
    fakeFetch(...committed(2));
    await firestoreAdapter({ ...CONFIG, getAppCheckToken: async () => 'token' }).startSession(session);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('blocked'))],
    [
      'throws',
      () => {
        throw new Error('blocked');
      },
    ],
    ['returns none', async () => null],
    ['has no user', () => undefined],
  ])('are omitted if the provider %s', async (_, getAppCheckToken) => {
    const fetch = fakeFetch(...committed(2));
    await firestoreAdapter({ ...CONFIG, getAppCheckToken }).startSession(session);
    expect(listHeaders(fetch)).toEqual([{}, {}]);
  });

  it('are requested again for each call that can wait', async () => {
    const fetch = fakeFetch(...committed(3));
    const getIdToken = vi.fn().mockResolvedValueOnce('first').mockResolvedValueOnce('second');
    const adapter = firestoreAdapter({ ...CONFIG, getIdToken });
    await adapter.startSession(session);
    await adapter.updateSession(session.id, exampleUpdate(session));
    expect(listHeaders(fetch).at(-1)).toEqual({ Authorization: 'Bearer second' });
  });
});
