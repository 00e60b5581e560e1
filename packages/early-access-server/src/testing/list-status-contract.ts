import type { EmailSignup } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { EVERYONE } from '../app/people/people.ts';
import type { Store } from '../app/ports/store.ts';
import { type ListStatus, OPEN_LIST } from '../app/signup/list-status.ts';
import { exampleSession, exampleSignup } from './examples.ts';
import { claimed, linkHash, NOW, readStates, type SetUp } from './harness.ts';

const [ADA, BOB, CARL, EVE] = ['ada@example.org', 'bob@example.org', 'carl@example.org', 'eve@example.org'];
const NOTICE = {
  message: 'Full of people',
  link_url: 'https://acme.example/news',
  link_text: 'Our news',
  takes_requests: false,
};

export function listStatusContract(setUp: SetUp): void {
  const save = ({ listStatus }: Store, change: Partial<ListStatus>) => listStatus.save({ ...OPEN_LIST, ...change });
  const signUp = (store: Store, email: string) => store.createSignup(exampleSignup({ email }));

  /** Submits an address while the list is closed, like a visitor. */
  async function ask(store: Store, signup: EmailSignup, language: string | null = null) {
    expect(await store.createSignup(signup, { language })).toMatchObject({ takes_requests: true });
  }
  const waiting = async ({ listStatus }: Store) =>
    (await Array.fromAsync(listStatus.requests())).map(({ signup }) => signup.email);

  describe('the status of the list', () => {
    it('is open until an admin changes it, in every process', async () => {
      const { store, open } = await setUp();
      const other = open();
      expect(await store.listStatus.read()).toEqual({ status: OPEN_LIST, people: 0 });
      const status: ListStatus = { mode: 'paused', closes_at: NOW + 1, max_people: 3, ...NOTICE };
      await store.listStatus.save(status);
      expect(await other.listStatus.read()).toEqual({ status, people: 0 });
      expect(await signUp(other, ADA)).toEqual({ closed: 'paused', ...NOTICE });
      await other.listStatus.save(OPEN_LIST);
      expect(await signUp(store, ADA)).toBe('created');
    });

    it.each(['paused', 'closed'] as const)('%s accepts nobody, and stores nothing of them', async (mode) => {
      const { store, signups, messages } = await setUp();
      await save(store, { mode });
      expect(await signUp(store, ADA)).toMatchObject({ closed: mode });
      expect([await signups(), await messages()]).toEqual([[], []]);
    });

    it('closes at its time', async () => {
      const { store, clock } = await setUp();
      await save(store, { closes_at: NOW + 1_000 });
      clock.now = NOW + 999;
      expect(await signUp(store, ADA)).toBe('created');
      clock.now = NOW + 1_000;
      expect(await signUp(store, BOB)).toMatchObject({ closed: 'closed' });
    });

    it('leaves those who are on the list what they are', async () => {
      const { store } = await setUp({ confirm: true });
      const signup = exampleSignup({ email: ADA });
      await store.createSignup(signup);
      const confirmation = linkHash(await claimed(store));
      await save(store, { mode: 'closed' });
      expect([await store.createSignup(signup), await signUp(store, ADA)]).toEqual(['pending', 'duplicate']);
      expect(await store.list.confirm(confirmation, null)).toBe('confirmed');
      const imported = { email: BOB, source: 'import', created_at: NOW, state: 'subscribed' } as const;
      expect(await store.list.importPeople([imported], { welcome: false })).toEqual(['added']);
      expect(await readStates(store)).toEqual({ [ADA]: 'subscribed', [BOB]: 'subscribed' });
    });

    it.each<[string, Partial<ListStatus>]>([
      ['paused', { mode: 'paused' }],
      ['closed', { mode: 'closed', takes_requests: true }],
      ['over', { closes_at: NOW }],
      ['full', { max_people: 1, takes_requests: true }],
    ])('tells everyone who is on it that they are, while it is %s', async (_, change) => {
      const { store, messages } = await setUp();
      const states = ['pending', 'subscribed', 'invited', 'joined', 'bounced'] as const;
      const people = states.map((state) => ({ email: `${state}@x.io`, source: 'import', created_at: NOW, state }));
      await store.list.importPeople(people, { welcome: false });
      await save(store, change);
      for (const { email } of people) expect([email, await signUp(store, email)]).toEqual([email, 'duplicate']);
      expect(await signUp(store, ADA)).toMatchObject({ closed: expect.any(String) });
      expect([await waiting(store), await messages()]).toEqual([change.takes_requests ? [ADA] : [], []]);
      expect(await readStates(store)).toEqual(Object.fromEntries(people.map(({ email, state }) => [email, state])));
    });

    it('is not opened by someone who has left', async () => {
      const { store } = await setUp();
      await signUp(store, ADA);
      await store.list.changePerson(ADA, 'unsubscribe', 'admin');
      await save(store, { mode: 'closed' });
      expect(await signUp(store, ADA)).toMatchObject({ closed: 'closed' });
      expect(await readStates(store)).toEqual({ [ADA]: 'unsubscribed' });
      await save(store, {});
      expect(await signUp(store, ADA)).not.toMatchObject({ closed: 'closed' });
    });

    it('has as many places as people, and who leaves gives one back', async () => {
      const { store } = await setUp();
      await save(store, { max_people: 2, ...NOTICE });
      expect([await signUp(store, ADA), await signUp(store, BOB)]).toEqual(['created', 'created']);
      expect(await signUp(store, CARL)).toEqual({ closed: 'full', ...NOTICE });
      expect(await store.listStatus.read()).toMatchObject({ people: 2 });
      await store.list.changePerson(BOB, 'unsubscribe', 'admin');
      expect(await signUp(store, CARL)).toBe('created');
      expect(await signUp(store, EVE)).toMatchObject({ closed: 'full' });
      // An admin may add more people than there are places.
      const imported = { email: EVE, source: 'import', created_at: NOW, state: 'subscribed' } as const;
      expect(await store.list.importPeople([imported], { welcome: false })).toEqual(['added']);
      expect(await store.listStatus.read()).toMatchObject({ people: 2 });
    });

    it('gives the last place to one of those who race for it, in two processes', async () => {
      const { store, open, signups } = await setUp();
      await signUp(store, ADA);
      await save(store, { max_people: 2 });
      const other = open();
      const results = await Promise.all(
        [store, other, store, other].map((each, turn) => signUp(each, `p${turn}@example.org`)),
      );
      expect(results.filter((result) => result === 'created')).toHaveLength(1);
      expect(results.filter((result) => typeof result === 'object')).toHaveLength(3);
      expect(await signups()).toHaveLength(2);
    });
  });

  describe('people who wait for the list to open', () => {
    it('are not on it, once each, and get no email', async () => {
      const { store, open, clock, signups, messages } = await setUp({ confirm: true });
      await save(store, { mode: 'closed', takes_requests: true });
      const [first, again] = [exampleSignup({ email: ADA, fields: { role: 'x' } }), exampleSignup({ email: ADA })];
      await ask(store, first, 'de');
      clock.now += 1_000;
      for (const signup of [exampleSignup({ email: BOB }), first, again]) await ask(open(), signup);
      expect([await signups(), await messages()]).toEqual([[], []]);
      expect(await store.listStatus.countRequests()).toBe(2);
      expect((await Array.fromAsync(store.listStatus.requests()))[0]).toEqual({
        signup: first,
        language: 'de',
        network: null,
        created_at: NOW,
      });
      expect(await waiting(store)).toEqual([ADA, BOB]);
      expect(await store.people.count(EVERYONE)).toMatchObject({ count: 0 });
      // The list is still closed.
      expect(await store.listStatus.admitRequests(10)).toBe(0);
      expect(await waiting(store)).toEqual([ADA, BOB]);
    });

    it('are signed up in their order once there is a place, and confirm', async () => {
      const { store, clock } = await setUp();
      await save(store, { mode: 'paused', takes_requests: true });
      for (const email of [ADA, BOB, CARL]) {
        clock.now += 1_000;
        await ask(store, exampleSignup({ email }));
      }
      await save(store, { max_people: 2, takes_requests: true });
      expect(await store.listStatus.admitRequests(1)).toBe(1);
      clock.now += 1_000;
      expect(await store.listStatus.admitRequests(10)).toBe(1);
      expect(await store.listStatus.admitRequests(10)).toBe(0);
      expect(await readStates(store)).toEqual({ [ADA]: 'pending', [BOB]: 'pending' });
      expect(await waiting(store)).toEqual([CARL]);
      const confirmation = await claimed(store);
      expect(confirmation).toMatchObject({ kind: 'confirmation', email: ADA });
      expect(await store.list.confirm(linkHash(confirmation), null)).toBe('confirmed');
    });

    it('are signed up once, if they are on the list by then or two processes race', async () => {
      const { store, open, signups } = await setUp();
      await save(store, { mode: 'closed', takes_requests: true });
      for (const email of [ADA, BOB]) await ask(store, exampleSignup({ email }));
      const imported = { email: ADA, source: 'import', created_at: NOW, state: 'subscribed' } as const;
      await store.list.importPeople([imported], { welcome: false });
      await save(store, {});
      const other = open();
      await Promise.all([store, other].map(({ listStatus }) => listStatus.admitRequests(10)));
      expect(await signups()).toHaveLength(2);
      expect([await waiting(store), await readStates(store)]).toEqual([[], { [ADA]: 'subscribed', [BOB]: 'pending' }]);
    });

    it('leave nothing once they are erased', async () => {
      const { store, sessions } = await setUp();
      const session = exampleSession(NOW);
      await store.startSession(session);
      await save(store, { mode: 'closed', takes_requests: true });
      await ask(store, exampleSignup({ email: ADA, session_id: session.id }));
      expect((await store.erase(ADA)).erased).toMatchObject({ sessionId: session.id, session: true });
      expect([await waiting(store), await sessions()]).toEqual([[], []]);
      expect((await store.erase(ADA)).erased).toBeNull();
    });

    it('do not name the link of a person who is erased', async () => {
      const { store } = await setUp();
      const signup = exampleSignup({ email: ADA });
      await store.createSignup(signup);
      const code = (await store.share.openLink(ADA, signup.submission_id))?.code ?? '';
      await save(store, { mode: 'closed', takes_requests: true });
      await ask(store, exampleSignup({ email: BOB, utm_source: 'share', utm_content: code }));
      await ask(store, exampleSignup({ email: CARL, utm_source: 'news', utm_content: 'top' }));
      await store.erase(ADA);
      const requests = await Array.fromAsync(store.listStatus.requests());
      expect(requests.map((request) => request.signup.utm_content)).toEqual([undefined, 'top']);
    });
  });
}
