import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_FIELDS, exampleSession, exampleSignup, updateOf } from './examples.ts';
import { NOW, type SetUp } from './harness.ts';

const ME = 'me@example.org';

/** Tests the data stored about a person: their signup and its erasure. */
export function personContract(setUp: SetUp): void {
  describe('createSignup', () => {
    it('stores the signup as it is and queues one message with it', async () => {
      const { store, signups, messages } = await setUp();
      const signup = exampleSignup({
        session_id: 'session-1',
        page_url: 'https://x.example/join',
        utm_term: 'prints',
        fields: EXAMPLE_FIELDS,
      });
      expect(await store.createSignup(signup)).toBe('created');
      expect(await signups()).toEqual([{ ...signup, created_at: NOW }]);
      expect(await messages()).toEqual([
        { email: signup.email, state: 'queued', attempts: 0, messageKey: expect.stringMatching(/^[\da-f-]{36}$/) },
      ]);
    });

    it('returns `created` again for the same submission, `duplicate` for another, and changes nothing', async () => {
      const { store, signups, messages } = await setUp();
      const signup = exampleSignup();
      await store.createSignup(signup);
      const before = [await signups(), await messages()];
      expect(await store.createSignup(signup)).toBe('created');
      expect(await store.createSignup(exampleSignup({ email: signup.email, source: 'other' }))).toBe('duplicate');
      expect([await signups(), await messages()]).toEqual(before);
    });

    it('creates one record if 50 race in two processes', async () => {
      const { store, open, signups, messages } = await setUp();
      const other = open();
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, turn) => (turn % 2 ? store : other).createSignup(exampleSignup({ email: ME }))),
      );
      expect(results.filter((result) => result === 'created')).toHaveLength(1);
      expect(results.filter((result) => result === 'duplicate')).toHaveLength(49);
      expect([(await signups()).length, (await messages()).length]).toEqual([1, 1]);
    });

    it('is not affected by a clock that is set back', async () => {
      const { store, clock, signups, messages } = await setUp();
      const [before, after] = [exampleSignup(), exampleSignup()];
      await store.createSignup(before);
      clock.now -= HOUR_MS;
      expect(await store.createSignup(before)).toBe('created');
      expect(await store.createSignup(after)).toBe('created');
      expect((await signups()).map(({ email }) => email).toSorted()).toEqual([before.email, after.email].toSorted());
      const keys = (await messages()).map(({ messageKey }) => messageKey);
      expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
    });
  });

  it('signups: returns every signup, oldest first', async () => {
    const { store, clock, signups } = await setUp();
    const emails = ['b@example.org', 'a@example.org', 'c@example.org'];
    for (const email of emails) {
      await store.createSignup(exampleSignup({ email, ...(email.startsWith('a') && { fields: EXAMPLE_FIELDS }) }));
      clock.now += 1_000;
    }
    const read = [];
    for await (const signup of store.signups()) read.push(signup);
    expect(read.map(({ email }) => email)).toEqual(emails);
    expect(read.toSorted((a, b) => a.created_at - b.created_at)).toEqual(
      (await signups()).toSorted((a, b) => a.created_at - b.created_at),
    );
  });

  describe('erase', () => {
    it('erases a person, and only that person', async () => {
      const { store, signups, sessions, messages } = await setUp();
      const [mine, others] = [exampleSession(NOW), exampleSession(NOW)];
      for (const session of [mine, others])
        await store.updateSession(session.id, updateOf(session, { total_duration: 10 }));
      await store.createSignup(exampleSignup({ email: ME, session_id: mine.id }));
      await store.createSignup(exampleSignup({ email: 'you@example.org', session_id: others.id }));
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 2, email_signups: 2 });
      const messageKeys = (await messages()).filter(({ email }) => email === ME).map(({ messageKey }) => messageKey);

      expect(await store.erase(ME)).toEqual({
        erased: { messageKeys, newEmail: null, sessionId: mine.id, session: true },
        traceless: true,
      });
      expect((await signups()).map(({ email }) => email)).toEqual(['you@example.org']);
      expect((await messages()).map(({ email }) => email)).toEqual(['you@example.org']);
      expect((await sessions()).map(({ id }) => id)).toEqual([others.id]);
      expect(await store.readSummary()).toEqual({
        unique_visitors: 1,
        email_signups: 1,
        bounce_rate: 100,
        average_duration: 10,
      });
      expect(await store.erase(ME)).toEqual({ erased: null, traceless: true });
    });

    it('still counts a visitor who has other sessions', async () => {
      const { store } = await setUp();
      const earlier = exampleSession(NOW - 60_000);
      const later = exampleSession(NOW, { visitor_id: earlier.visitor_id });
      for (const session of [earlier, later]) await store.startSession(session);
      await store.createSignup(exampleSignup({ email: ME, session_id: later.id }));
      await store.erase(ME);
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 1, email_signups: 0 });
    });

    it('reports a session only if it was stored', async () => {
      const { store } = await setUp();
      await store.createSignup(exampleSignup({ email: ME, session_id: 'session-of-nobody' }));
      await store.createSignup(exampleSignup({ email: 'you@example.org' }));
      expect(await store.erase(ME)).toMatchObject({ erased: { sessionId: 'session-of-nobody', session: false } });
      expect(await store.erase('you@example.org')).toMatchObject({ erased: { sessionId: null, session: false } });
    });

    it('does not let an open page store the session again', async () => {
      const { store, clock, sessions } = await setUp();
      const [known, late] = [exampleSession(NOW), exampleSession(NOW)];
      await store.startSession(known);
      for (const { id } of [known, late]) {
        await store.createSignup(exampleSignup({ email: ME, session_id: id }));
        await store.erase(ME);
      }
      for (const days of [0, 2, 200]) {
        clock.now += days * DAY_MS;
        for (const session of [known, late]) {
          await store.startSession(session);
          await store.updateSession(session.id, updateOf(session, { total_duration: 10 }));
        }
      }
      expect(await sessions()).toEqual([]);
      expect(await store.readSummary()).toMatchObject({ unique_visitors: 0 });
      const other = exampleSession(clock.now);
      await store.startSession(other);
      expect((await sessions()).map(({ id }) => id)).toEqual([other.id]);
    });

    it('lets the address sign up again, with a new message', async () => {
      const { store, messages } = await setUp();
      await store.createSignup(exampleSignup({ email: ME }));
      const first = (await messages())[0]?.messageKey;
      await store.erase(ME);
      expect(await store.createSignup(exampleSignup({ email: ME }))).toBe('created');
      expect(await messages()).toMatchObject([{ email: ME, state: 'queued' }]);
      expect((await messages())[0]?.messageKey).not.toBe(first);
      expect(await store.readSummary()).toMatchObject({ email_signups: 1 });
    });
  });
}
