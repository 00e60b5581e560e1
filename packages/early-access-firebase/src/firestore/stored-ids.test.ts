import { DAY_MS } from 'early-access-kit/internal';
import { EVERYONE, exampleSession, exampleSignup } from 'early-access-server/fixtures';
import type { Log } from 'early-access-server/internal';
import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, it } from 'vitest';
import { firestoreOfFile } from '../fixtures/firestore.ts';
import { signupId } from './database.ts';
import { firestoreStore } from './firestore-store.ts';

/** Ids that Firestore rejects. Earlier, less strict rules or programs may have stored them. */
const REFUSED = ['________', '__proto__', '.', '..', 'a/b', '', 'x'.repeat(1_501), 5];
const EMAIL = 'ada@example.org';
const NOW = Date.UTC(2026, 2, 1, 14, 10);
const { firestore, clock, readData } = await firestoreOfFile(NOW);

function open() {
  const lines: unknown[] = [];
  const log: Log = (...line) => lines.push(line);
  return { lines, store: firestoreStore({ firestore, clock: () => clock.now, log }) };
}

const ignored = (collection: string, ids: number) => [
  'warn',
  'stored-ids-ignored',
  { collection, ids, reason: 'Firestore refuses them as ids of documents' },
];

async function storeSignup(email: string, session_id: unknown) {
  const created_at = Timestamp.fromMillis(NOW - 1);
  const document = { ...exampleSignup({ email }), session_id, created_at };
  await firestore.doc(`email_signups/${signupId(email)}`).set(document);
}

describe('a signup with a session id that Firestore refuses', () => {
  const query = { buckets: [NOW - DAY_MS], end: NOW, previousStart: null, filter: {} };

  it('counts like one without a session, beside signups that have one', async () => {
    const { store, lines } = open();
    const session = exampleSession(NOW - DAY_MS - 1, { browser: 'Firefox' });
    await store.startSession(session);
    await storeSignup('grace@example.org', session.id);
    for (const [index, id] of REFUSED.entries()) await storeSignup(`${index}.${EMAIL}`, id);
    const { figures, breakdowns } = await store.analytics.read(query);
    expect(figures.signups).toBe(REFUSED.length + 1);
    expect(breakdowns.browser).toContainEqual({ value: 'Firefox', visitors: 0, signups: 1, joined: 0 });
    // Empty strings and other types were always ignored without a log entry.
    expect(lines).toEqual([ignored('sessions', REFUSED.length - 2)]);
  });

  it('does not stop the roll-up', async () => {
    const { store, lines } = open();
    for (const [index, id] of REFUSED.entries()) await storeSignup(`${index}.${EMAIL}`, id);
    await store.analytics.rollUp({ withinMs: 60_000 });
    expect((await store.analytics.read(query)).figures.signups).toBe(REFUSED.length);
    expect(lines).toContainEqual(ignored('sessions', REFUSED.length - 2));
    expect(await store.analytics.progress()).toBe(1);
  });

  it.each(REFUSED)('is shown without a session, and can be erased (%#)', async (id) => {
    const { store, lines } = open();
    await storeSignup(EMAIL, id);
    const { people } = await store.people.list({ ...EVERYONE, sort: 'newest', limit: 1, after: null });
    expect(await store.people.find(people[0]?.id ?? '')).toMatchObject({ email: EMAIL, session: null });
    expect((await store.erase(EMAIL)).erased).toMatchObject({ sessionId: null, session: false });
    expect(await readData(`email_signups/${signupId(EMAIL)}`)).toBeUndefined();
    expect((await firestore.collection('erased_sessions').get()).size).toBe(0);
    expect(lines).toEqual(id === '' || id === 5 ? [] : [ignored('sessions', 1), ignored('sessions', 1)]);
  });
});

it.each(REFUSED)(
  'a session with such a visitor id has no visitor, and is erased with its signup (%#)',
  async (visitor_id) => {
    const { store, lines } = open();
    const { id, ...session } = exampleSession(NOW - 1);
    await firestore.doc(`sessions/${id}`).set({ ...session, visitor_id });
    await storeSignup(EMAIL, id);
    const { people } = await store.people.list({ ...EVERYONE, sort: 'newest', limit: 1, after: null });
    expect(await store.people.find(people[0]?.id ?? '')).toMatchObject({ email: EMAIL, session: null });
    expect((await store.erase(EMAIL)).erased).toMatchObject({ sessionId: id, session: true });
    expect(await readData(`sessions/${id}`)).toBeUndefined();
    expect(lines.every((line) => JSON.stringify(line) === JSON.stringify(ignored('visitors', 1)))).toBe(true);
  },
);

it.each(['________', '__proto__', '.', 'a/b', ''])('an admin finds nothing with the id %s', async (id) => {
  const { store } = open();
  expect(await store.people.find(id)).toBeNull();
  expect(await store.campaigns.find(id)).toBeNull();
  expect(await store.webhooks.remove(id)).toBe(false);
});
