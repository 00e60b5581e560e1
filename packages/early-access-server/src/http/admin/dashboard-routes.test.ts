import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { adminHarness } from '../../fixtures/admin-harness.ts';

it('says how far the first steps are, from what the server knows now', async () => {
  const { store, signIn, request } = adminHarness();
  const cookie = await signIn();
  const read = async () => (await request('GET', '/admin/first-steps', { cookie })).json();
  const steps = { sender: 'done', form: 'open', signup: 'open', backup: 'open' };
  expect(await read()).toMatchObject({ store: 'sqlite', steps });
  // An import is no signup.
  const imported = { email: 'ada@example.org', source: 'import', state: 'subscribed', created_at: 1 } as const;
  await store.list.importPeople([imported], { welcome: false });
  expect(await read()).toMatchObject({ steps });
  const { email } = signupOf();
  await request('POST', '/signups', { body: signupOf({ email }) });
  expect(await read()).toMatchObject({ steps: { ...steps, form: 'done', signup: 'done' } });
  await store.erase(email);
  expect(await read()).toMatchObject({ steps });
});

it('of a session without a signup is that a page is connected', async () => {
  const { signIn, request, clock } = adminHarness();
  const cookie = await signIn();
  const body = sessionOf({ session_start: clock.now });
  expect((await request('POST', '/sessions', { body })).status).toBe(204);
  const response = await request('GET', '/admin/first-steps', { cookie });
  expect(await response.json()).toMatchObject({ steps: { form: 'done', signup: 'open' } });
});
