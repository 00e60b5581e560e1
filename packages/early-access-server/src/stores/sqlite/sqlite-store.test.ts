import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { readSessions, readSignups, readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { sqliteStore } from './sqlite-store.ts';

const DAY_MS = 86_400_000;

describe('sqliteStore', () => {
  it('takes an erased session out of the summary', async () => {
    const { store } = tempStore();
    const [mine, others] = [sessionOf(), sessionOf()];
    for (const session of [mine, others])
      await store.updateSession(session.id, updateOf(session, { total_duration: 10 }));
    await store.createSignup(signupOf({ email: 'me@example.org', session_id: mine.id }));
    await store.createSignup(signupOf({ email: 'you@example.org', session_id: others.id }));
    await store.erase('me@example.org');
    expect(store.readSummary()).toEqual({
      unique_visitors: 1,
      email_signups: 1,
      bounce_rate: 100,
      average_duration: 10,
    });
  });

  it('counts a visitor who has other sessions than the erased one', async () => {
    const { store, raw } = tempStore();
    const earlier = sessionOf({ session_start: Date.now() - 60_000 });
    const later = sessionOf({ visitor_id: earlier.visitor_id });
    await store.startSession(earlier);
    await store.startSession(later);
    await store.createSignup(signupOf({ email: 'me@example.org', session_id: later.id }));
    await store.erase('me@example.org');
    expect(raw.prepare('SELECT visitor_id, last_seen FROM visitors').all()).toEqual([
      { visitor_id: earlier.visitor_id, last_seen: earlier.session_start },
    ]);
  });

  it('does not store an erased session again if its page is still open', async () => {
    const clock = { now: Date.now() };
    const { store, raw } = tempStore({ clock: () => clock.now });
    const [known, late] = [sessionOf(), sessionOf()];
    await store.startSession(known);
    for (const { id } of [known, late]) {
      const { email } = signupOf();
      await store.createSignup(signupOf({ email, session_id: id }));
      await store.erase(email);
    }
    for (const days of [0, 2, 200]) {
      clock.now += days * DAY_MS;
      for (const session of [known, late]) {
        await store.startSession(session);
        await store.updateSession(session.id, updateOf(session, { total_duration: 10 }));
      }
    }
    expect(readSessions(raw)).toEqual([]);
    expect(readValue(raw, 'SELECT count(*) FROM visitors')).toBe(0);
    expect(store.readSummary()).toMatchObject({ unique_visitors: 0 });
    expect(
      raw
        .prepare('SELECT * FROM erased_sessions')
        .all()
        .map(({ id_hash }) => id_hash),
    ).not.toContain(known.id);
    const other = sessionOf();
    await store.startSession(other);
    expect(readSessions(raw).map(({ id }) => id)).toEqual([other.id]);
    clock.now += 400 * DAY_MS;
    await store.prune(clock.now - 395 * DAY_MS, 10);
    expect(readValue(raw, 'SELECT count(*) FROM erased_sessions')).toBe(0);
  });

  it('prunes old sessions in steps and does not change the hourly sums', async () => {
    const clock = { now: Date.now() - 400 * DAY_MS };
    const { store, raw } = tempStore({ clock: () => clock.now });
    for (let n = 0; n < 5; n += 1) await store.startSession(sessionOf({ session_start: clock.now }));
    clock.now += 400 * DAY_MS;
    const recent = sessionOf({ session_start: clock.now });
    await store.startSession(recent);
    const oldest = clock.now - 395 * DAY_MS;
    expect(await store.prune(oldest, 3)).toBe(6);
    expect(await store.prune(oldest, 3)).toBe(4);
    expect(await store.prune(oldest, 3)).toBe(0);
    expect(readSessions(raw).map(({ id }) => id)).toEqual([recent.id]);
    expect(readValue(raw, 'SELECT count(*) FROM visitors')).toBe(1);
    expect(readValue(raw, 'SELECT sum(sessions) FROM session_hours')).toBe(6);
  });

  it('backs up to a complete database while in use', async () => {
    const { store } = tempStore();
    await store.createSignup(signupOf({ email: 'me@example.org' }));
    const copy = join(tempFolder(), 'copy.sqlite');
    store.backup(copy);
    await store.createSignup(signupOf());
    const db = new DatabaseSync(copy, { readOnly: true });
    expect(readSignups(db).map(({ email }) => email)).toEqual(['me@example.org']);
    db.close();
  });

  it('commits pending writes when it is closed', async () => {
    const file = join(tempFolder(), 'closing.sqlite');
    const store = sqliteStore({ file });
    const created = store.createSignup(signupOf());
    store.close();
    expect(await created).toBe('created');
    const db = new DatabaseSync(file, { readOnly: true });
    expect(readSignups(db)).toHaveLength(1);
    db.close();
  });
});
