import { afterEach, describe, expect, it, vi } from 'vitest';
import { summarize } from '../../src/core/metrics.ts';
import { randomId } from '../../src/core/random-id.ts';
import { failureOf } from '../../src/testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../../src/testing/examples.ts';
import { type Backend, startBackend } from './backend.ts';

/** What goes wrong between a page and Firestore, and what the visitor may then be told. */

const running: Backend[] = [];
const start = async (...options: Parameters<typeof startBackend>) => {
  const backend = await startBackend(...options);
  running.push(backend);
  return backend;
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((backend) => backend.stop()));
});

describe('a sign-up', () => {
  it('whose answer is lost is created, and there once', async () => {
    const { fake, visitor, owner } = await start();
    const signup = exampleSignup();
    fake.faults.next({ verb: 'commit', drop: 'after' });
    expect(await visitor().createSignup(signup)).toBe('created');
    expect(await owner.signups()).toEqual([{ ...signup, created_at: expect.any(Number) }]);
  });

  it('of an address that was listed before is a duplicate, even if the answer is lost', async () => {
    const { fake, visitor, owner } = await start();
    const first = exampleSignup();
    await visitor().createSignup(first);
    fake.faults.next({ verb: 'commit', drop: 'after' });
    expect(await visitor().createSignup(exampleSignup({ email: first.email }))).toBe('duplicate');
    expect(await owner.signups()).toEqual([{ ...first, created_at: expect.any(Number) }]);
  });

  it('whose answer is lost, and whose repetition too, fails, and is created when it is sent once more', async () => {
    const { fake, visitor, owner } = await start();
    const signup = exampleSignup();
    const adapter = visitor();
    fake.faults.next({ verb: 'commit', drop: 'after' });
    fake.faults.next({ verb: 'commit', drop: 'before' });
    expect(await failureOf(adapter.createSignup(signup))).toBe('unavailable');
    expect(await adapter.createSignup(signup)).toBe('created');
    expect(await owner.signups()).toHaveLength(1);
  });

  it.each([
    ['rules are missing', 'rules_version = "2";\nservice cloud.firestore {}'],
    [
      'rules deny everything',
      'rules_version = "2";\nservice cloud.firestore { match /{all=**} { allow read, write: if false; } }',
    ],
  ])('where %s is a failure and no duplicate, listed or not', async (_, rules) => {
    const { fake, visitor } = await start();
    const listed = exampleSignup();
    await visitor().createSignup(listed);
    fake.setRules(rules);
    for (const signup of [listed, exampleSignup({ email: listed.email }), exampleSignup()]) {
      expect(await failureOf(visitor().createSignup(signup))).toBe('forbidden');
    }
  });

  it('where everything is 403, as by App Check or a restricted key, is a failure and no duplicate', async () => {
    const { fake, visitor } = await start();
    const listed = exampleSignup();
    await visitor().createSignup(listed);
    for (const html of [false, true]) {
      fake.faults.always({ status: 403, html });
      expect(await failureOf(visitor().createSignup(exampleSignup({ email: listed.email })))).toBe('forbidden');
    }
  });

  it.each([{ status: 503 }, { status: 500 }, { status: 502, html: true }, { drop: 'before' }] as const)(
    'is created after %j',
    async (fault) => {
      const { fake, visitor, owner } = await start();
      fake.faults.next({ verb: 'commit', ...fault });
      expect(await visitor().createSignup(exampleSignup())).toBe('created');
      expect(await owner.signups()).toHaveLength(1);
    },
  );

  it('is a duplicate although the read that tells so needs a second try', async () => {
    const { fake, visitor } = await start();
    const { email } = exampleSignup();
    await visitor().createSignup(exampleSignup({ email }));
    fake.faults.next({ verb: 'batchGet', status: 503 });
    expect(await visitor().createSignup(exampleSignup({ email }))).toBe('duplicate');
  });

  it('that meets an exhausted quota is rate-limited, asked once, and says how long to wait', async () => {
    const { fake, visitor } = await start();
    fake.faults.always({ status: 429, retryAfter: 30 });
    await expect(visitor().createSignup(exampleSignup())).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfter: 30,
    });
    fake.faults.always(null);
    expect(await visitor().createSignup(exampleSignup())).toBe('created');
  });

  it('is told apart by submission when 20 visitors of one address race', async () => {
    const { visitor, owner } = await start();
    const email = 'race@example.org';
    const results = await Promise.all(
      Array.from({ length: 20 }, () => visitor().createSignup(exampleSignup({ email }))),
    );
    expect(results.filter((result) => result === 'created')).toHaveLength(1);
    expect(await owner.signups()).toHaveLength(1);
  });
});

describe('offline', () => {
  it('fails everything as unavailable; back online, the visit has lost nothing', async () => {
    const { fake, visitor, owner } = await start();
    const adapter = visitor();
    const session = exampleSession(Date.now());
    const signup = exampleSignup();
    fake.faults.always({ drop: 'before' });
    expect(await failureOf(adapter.startSession(session))).toBe('unavailable');
    expect(await failureOf(adapter.updateSession(session.id, exampleUpdate(session)))).toBe('unavailable');
    expect(await failureOf(adapter.createSignup(signup))).toBe('unavailable');
    fake.faults.always(null);
    await adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2, total_duration: 60 }));
    expect(await adapter.createSignup(signup)).toBe('created');
    expect(await owner.sessions()).toEqual([expect.objectContaining({ id: session.id, total_duration: 60 })]);
    expect(await owner.visitors()).toEqual([{ id: session.visitor_id, last_seen: session.session_start }]);
  });

  it('ends at the deadline where Firestore does not answer', async () => {
    const { fake, visitor } = await start();
    fake.faults.always({ delayMs: 5_000 });
    const adapter = visitor({ deadlineMs: 50 });
    expect(await failureOf(adapter.startSession(exampleSession(Date.now())))).toBe('unavailable');
  });
});

describe('a visitor’s record', () => {
  it('is shared by equal phones that start at the same moment, and each visit is kept', async () => {
    const { visitor, owner } = await start();
    const now = Date.now();
    const visitor_id = randomId();
    const sessions = Array.from({ length: 20 }, (_, n) => exampleSession(now - n, { visitor_id }));
    await Promise.all(sessions.map((session) => visitor().startSession(session)));
    expect(await owner.sessions()).toHaveLength(20);
    expect(await owner.visitors()).toEqual([{ id: visitor_id, last_seen: now }]);
  });

  it('costs the visit nothing where its write fails', async () => {
    const { fake, owner, visitor } = await start();
    // The session's write is the first one, and the visitor's the second.
    fake.faults.next({ verb: 'commit', delayMs: 0 });
    fake.faults.next({ verb: 'commit', status: 503 });
    await visitor().startSession(exampleSession(Date.now()));
    expect(await owner.sessions()).toHaveLength(1);
    expect(await owner.visitors()).toEqual([]);
  });
});

describe('a visit', () => {
  it('of a page that knows nothing of its start is kept: a reload, a second tab, an answer that was lost', async () => {
    const { visitor, owner } = await start();
    const session = exampleSession(Date.now());
    await visitor().startSession(session);
    await visitor().updateSession(session.id, exampleUpdate(session, { page_count: 3 }));
    // Another tab has seen one page only, and knows the start differently.
    const other = exampleUpdate({ ...session, total_sessions: 9 }, { page_count: 1, click_count: 4 });
    await visitor().updateSession(session.id, other);
    expect(await owner.sessions()).toEqual([
      expect.objectContaining({ page_count: 3, click_count: 4, is_bounce: false, total_sessions: 1 }),
    ]);
  });

  it('that was erased meanwhile is kept anew by its next flush', async () => {
    const { fake, visitor, owner } = await start();
    const session = exampleSession(Date.now());
    const adapter = visitor();
    await adapter.startSession(session);
    fake.store.clear();
    await adapter.updateSession(session.id, exampleUpdate(session, { click_count: 1 }));
    expect(await owner.sessions()).toEqual([expect.objectContaining({ click_count: 1 })]);
  });

  it.each([-3, 3])(
    'on a clock that is %i days off is kept at the store’s time, flushes and reloads included',
    async (days) => {
      const now = Date.now();
      const { visitor, owner } = await start({ now: () => now });
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
      const [kept, ...others] = await owner.sessions();
      expect(others).toEqual([]);
      expect(kept).toMatchObject({ total_duration: 60 });
      expect(Math.abs((kept?.session_start ?? 0) - now)).toBeLessThan(60_000);
      expect(Math.abs((kept?.session_end ?? 0) - now)).toBeLessThan(60_000);
      expect(summarize(kept ? [kept] : [], 0, now).unique_visitors).toBe(1);
      expect(await owner.visitors()).toHaveLength(1);
    },
  );

  it('expires when the owner says', async () => {
    const { visitor, owner } = await start();
    const session = exampleSession(Date.now());
    await visitor({ retentionDays: 90 }).startSession(session);
    for (const collection of ['sessions', 'visitors']) {
      const [record] = await owner.raw(collection);
      expect(record?.expires_at.toMillis()).toBe(session.session_start + 90 * 86_400_000);
    }
  });
});
