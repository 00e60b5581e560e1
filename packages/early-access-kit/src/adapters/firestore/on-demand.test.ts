import { afterEach, expect, it, vi } from 'vitest';
import { exampleSignup } from '../../testing/examples.ts';
import { fakeDeadlines, fakeFetch, googleError } from '../fake-fetch.fixture.ts';
import { firestoreAdapter } from '../firestore.ts';

// A chunk that never loads.
vi.mock('./on-demand.ts', () => new Promise(() => {}));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('keeps the deadline while the module for refusals is loading', async () => {
  const deadlines = fakeDeadlines();
  const fetch = fakeFetch(googleError(403, 'PERMISSION_DENIED'), googleError(403, 'PERMISSION_DENIED'));
  const call = firestoreAdapter({ projectId: 'shop', apiKey: 'k' }).createSignup(exampleSignup());
  const failure = expect(call).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' });
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1));
  deadlines.pass();
  // Retried once, as after any lost response.
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
  deadlines.pass();
  await failure;
});
