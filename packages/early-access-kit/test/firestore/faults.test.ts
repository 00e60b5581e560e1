import type {} from '@early-access-kit/testkit/firestore-setup';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { summarize } from '../../src/core/metrics.ts';
import { randomId } from '../../src/core/random-id.ts';
import { getFailureCode } from '../../src/testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../../src/testing/examples.ts';
import { type BackendOptions, startBackend } from './backend.ts';

/** Failures between a page and Firestore, and their results for the visitor. */

/** With more, requests would wait two seconds each for the emulator's locks. */
const AT_ONCE = 4;

async function start(options?: BackendOptions) {
  const backend = await startBackend(inject('firestoreEmulator'), options);
  onTestFinished(backend.stop);
  return backend;
}

describe('a signup', () => {
  it('fails if the responses to it and to its retry are lost, and is created when the visitor submits it again', async () => {
    const { database, visitor, admin } = await start();
    const signup = exampleSignup();
    const adapter = visitor();
    database.faults.next({ verb: 'commit', drop: 'after' });
    database.faults.next({ verb: 'commit', drop: 'before' });
    expect(await getFailureCode(adapter.createSignup(signup))).toBe('unavailable');
    expect(await adapter.createSignup(signup)).toBe('created');
    expect(await admin.signups()).toHaveLength(1);
  });

  it.each([
    [
      'rules are missing',
      'rules_version = "2";\nservice cloud.firestore { match /nothing/{id} { allow read: if true; } }',
    ],
    [
      'rules deny everything',
      'rules_version = "2";\nservice cloud.firestore { match /{all=**} { allow read, write: if false; } }',
    ],
  ])('fails if %s, and is not reported as a duplicate, whether signed up or not', async (_, rules) => {
    const { database, visitor } = await start();
    const listed = exampleSignup();
    await visitor().createSignup(listed);
    await database.setRules(rules);
    for (const signup of [listed, exampleSignup({ email: listed.email }), exampleSignup()]) {
      expect(await getFailureCode(visitor().createSignup(signup))).toBe('forbidden');
    }
  });

  it.each([{ status: 503 }, { status: 500 }, { status: 502, html: true }, { drop: 'before' }] as const)(
    'is created after %j',
    async (fault) => {
      const { database, visitor, admin } = await start();
      database.faults.next({ verb: 'commit', ...fault });
      expect(await visitor().createSignup(exampleSignup())).toBe('created');
      expect(await admin.signups()).toHaveLength(1);
    },
  );

  it('is a duplicate even if the read that proves it needs a retry', async () => {
    const { database, visitor } = await start();
    const { email } = exampleSignup();
    await visitor().createSignup(exampleSignup({ email }));
    database.faults.next({ verb: 'batchGet', status: 503 });
    expect(await visitor().createSignup(exampleSignup({ email }))).toBe('duplicate');
  });
});

it('offline, every call fails as unavailable; once back online, the session has lost nothing', async () => {
  const { database, visitor, admin } = await start();
  const adapter = visitor();
  const session = exampleSession(Date.now());
  const signup = exampleSignup();
  database.faults.always({ drop: 'before' });
  expect(await getFailureCode(adapter.startSession(session))).toBe('unavailable');
  expect(await getFailureCode(adapter.updateSession(session.id, exampleUpdate(session)))).toBe('unavailable');
  expect(await getFailureCode(adapter.createSignup(signup))).toBe('unavailable');
  database.faults.always(null);
  await adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2, total_duration: 60 }));
  expect(await adapter.createSignup(signup)).toBe('created');
  expect(await admin.sessions()).toEqual([expect.objectContaining({ id: session.id, total_duration: 60 })]);
  expect(await admin.visitors()).toEqual([{ id: session.visitor_id, last_seen: session.session_start }]);
});

describe('a visitor’s record', () => {
  it('is shared by identical phones that start concurrently, and each session is stored', async () => {
    const { visitor, admin } = await start();
    const now = Date.now();
    const visitor_id = randomId();
    const sessions = Array.from({ length: AT_ONCE }, (_, n) => exampleSession(now - n, { visitor_id }));
    await Promise.all(sessions.map((session) => visitor().startSession(session)));
    expect(await admin.sessions()).toHaveLength(AT_ONCE);
    expect(await admin.visitors()).toEqual([{ id: visitor_id, last_seen: now }]);
  });

  it('gets the time of a session if the stored one is in the future', async () => {
    const { visitor, admin } = await start();
    const now = Date.now();
    const visitor_id = randomId();
    await visitor().startSession(exampleSession(now + 23 * 3_600_000, { visitor_id }));
    await visitor().startSession(exampleSession(now, { visitor_id }));
    expect(await admin.visitors()).toEqual([{ id: visitor_id, last_seen: now }]);
  });

  it('does not affect the session if its write fails', async () => {
    const { database, admin, visitor } = await start();
    // The first write is the session's, the second the visitor's.
    database.faults.next({ verb: 'commit', delayMs: 0 });
    database.faults.next({ verb: 'commit', status: 503 });
    await visitor().startSession(exampleSession(Date.now()));
    expect(await admin.sessions()).toHaveLength(1);
    expect(await admin.visitors()).toEqual([]);
  });
});

describe('a session', () => {
  it('is stored from a page that does not know its start: a reload, a second tab, a lost response', async () => {
    const { visitor, admin } = await start();
    const session = exampleSession(Date.now());
    await visitor().startSession(session);
    await visitor().updateSession(session.id, exampleUpdate(session, { page_count: 3 }));
    // Another tab has counted only one page view, and has a different start.
    const other = exampleUpdate({ ...session, total_sessions: 9 }, { page_count: 1, click_count: 4 });
    await visitor().updateSession(session.id, other);
    expect(await admin.sessions()).toEqual([
      expect.objectContaining({ page_count: 3, click_count: 4, is_bounce: false, total_sessions: 1 }),
    ]);
  });

  it('that was erased in the meantime is stored again by its next update', async () => {
    const { database, visitor, admin } = await start();
    const session = exampleSession(Date.now());
    const adapter = visitor();
    await adapter.startSession(session);
    await database.clear();
    await adapter.updateSession(session.id, exampleUpdate(session, { click_count: 1 }));
    expect(await admin.sessions()).toEqual([expect.objectContaining({ click_count: 1 })]);
  });

  it.each([-3, 3])(
    'on a clock that is %i days off is stored at the store’s time, including updates and reloads',
    async (days) => {
      const now = Date.now();
      const { visitor, admin } = await start();
      vi.useFakeTimers({ toFake: ['Date'], now: now + days * 86_400_000 });
      try {
        const session = exampleSession(Date.now());
        const adapter = visitor();
        await adapter.startSession(session);
        const flush = (total_duration: number) => exampleUpdate(session, { session_end: Date.now(), total_duration });
        await adapter.updateSession(session.id, flush(30));
        await visitor().updateSession(session.id, flush(60));
      } finally {
        vi.useRealTimers();
      }
      const [stored, ...others] = await admin.sessions();
      expect(others).toEqual([]);
      expect(stored).toMatchObject({ total_duration: 60 });
      expect(Math.abs((stored?.session_start ?? 0) - now)).toBeLessThan(60_000);
      expect(Math.abs((stored?.session_end ?? 0) - now)).toBeLessThan(60_000);
      expect(summarize(stored ? [stored] : [], 0, now).unique_visitors).toBe(1);
      expect(await admin.visitors()).toHaveLength(1);
    },
  );
});

it('a signup with fields is invalid on a site that declares none', async () => {
  const { visitor } = await start();
  expect(await getFailureCode(visitor().createSignup(exampleSignup({ fields: { company: 'Acme' } })))).toBe('invalid');
});

describe('under rules that leave signups to the function', () => {
  it('a direct signup is forbidden, with a token, without one, and for an address on the list', async () => {
    const { visitor, admin } = await start({ directSignups: false });
    const signup = exampleSignup();
    for (const given of [signup, { ...signup, human_token: 'token' }]) {
      expect(await getFailureCode(visitor().createSignup(given))).toBe('forbidden');
    }
    expect(await admin.raw('email_signups')).toEqual([]);
  });

  it('a token is no reason to accept a signup under rules without one', async () => {
    const { visitor, admin } = await start();
    expect(await getFailureCode(visitor().createSignup(exampleSignup({ human_token: 'token' })))).toBe('forbidden');
    expect(await admin.raw('email_signups')).toEqual([]);
  });
});
