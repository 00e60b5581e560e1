import { createHash, randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { type AdminSettings, type AdminStore, DEFAULT_ADMIN_SETTINGS } from '../app/ports/admin-store.ts';
import { AUDIT_ENTRIES, claimed, NOW, type SetUp } from './harness.ts';

const ADMIN = 'admin@example.com';

const CHOSEN: AdminSettings = { time_zone: 'Europe/Berlin', weekly_email: true, signup_notices: 'daily' };

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Adds a sign-in token that is valid for 15 minutes. Returns its hash. */
async function addToken(admin: AdminStore, now: number, email = ADMIN): Promise<string> {
  const hash = hashToken(randomUUID());
  await admin.addSignInToken({ hash, email, expires_at: now + 15 * MINUTE_MS });
  return hash;
}

const opened = () => ({ id: randomUUID(), hash: hashToken(randomUUID()), device: 'Firefox on Linux' });

async function signIn(admin: AdminStore, now: number) {
  const session = opened();
  expect(await admin.redeemSignInToken(await addToken(admin, now), session)).not.toBeNull();
  return session;
}

export function adminContract(setUp: SetUp): void {
  describe('admin: sign-in tokens', () => {
    it('opens a session with the address of the token', async () => {
      const { store, clock } = await setUp();
      const session = opened();
      const { hash, ...shown } = session;
      const expected = { ...shown, email: ADMIN, created_at: NOW, last_used_at: NOW };
      expect(await store.admin.redeemSignInToken(await addToken(store.admin, clock.now), session)).toEqual(expected);
      expect(await store.admin.findSession(hash)).toEqual(expected);
      expect(await store.admin.sessions()).toEqual([expected]);
    });

    it('opens one session if 50 redeem a token in two processes', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const hash = await addToken(store.admin, clock.now);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, turn) => (turn % 2 ? store : other).admin.redeemSignInToken(hash, opened())),
      );
      expect(results.filter((session) => session !== null)).toHaveLength(1);
      expect(await store.admin.sessions()).toHaveLength(1);
      expect(await store.admin.redeemSignInToken(hash, opened())).toBeNull();
    });

    it('refuses an unknown and an expired token', async () => {
      const { store, clock } = await setUp();
      expect(await store.admin.redeemSignInToken(hashToken('unknown'), opened())).toBeNull();
      const hash = await addToken(store.admin, clock.now);
      clock.now += 15 * MINUTE_MS;
      expect(await store.admin.redeemSignInToken(hash, opened())).toBeNull();
      expect(await store.admin.sessions()).toEqual([]);
    });

    it('accepts a token until it expires, even if other tokens were added or the clock is set back', async () => {
      const { store, clock } = await setUp();
      const hash = await addToken(store.admin, clock.now);
      clock.now += 15 * MINUTE_MS - 1;
      await addToken(store.admin, clock.now, 'other@example.com');
      clock.now -= HOUR_MS;
      expect(await store.admin.redeemSignInToken(hash, opened())).toMatchObject({ email: ADMIN });
    });
  });

  describe('admin: sessions', () => {
    it('ends a session after 12 hours without use, and counts its use', async () => {
      const { store, clock } = await setUp();
      const { id, hash } = await signIn(store.admin, clock.now);
      clock.now += 12 * HOUR_MS - 1;
      await store.admin.markSessionUsed(id);
      expect(await store.admin.findSession(hash)).toMatchObject({ last_used_at: clock.now });
      clock.now += 12 * HOUR_MS - 1;
      expect(await store.admin.findSession(hash)).not.toBeNull();
      clock.now += 1;
      expect(await store.admin.findSession(hash)).toBeNull();
      expect(await store.admin.sessions()).toEqual([]);
    });

    it('ends a session after 7 days, however it is used', async () => {
      const { store, clock } = await setUp();
      const { id, hash } = await signIn(store.admin, clock.now);
      for (let hours = 6; hours < 7 * 24; hours += 6) {
        clock.now += 6 * HOUR_MS;
        await store.admin.markSessionUsed(id);
        expect(await store.admin.findSession(hash)).not.toBeNull();
      }
      clock.now += 6 * HOUR_MS;
      await store.admin.markSessionUsed(id);
      expect(await store.admin.findSession(hash)).toBeNull();
    });

    it('keeps a session if the clock is set back', async () => {
      const { store, clock } = await setUp();
      const { id, hash } = await signIn(store.admin, clock.now);
      clock.now -= HOUR_MS;
      await store.admin.markSessionUsed(id);
      expect(await store.admin.findSession(hash)).toMatchObject({ last_used_at: NOW });
    });

    it('revokes one session at once, also in another process', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const [first, second] = [await signIn(store.admin, clock.now), await signIn(store.admin, clock.now)];
      expect(await other.admin.findSession(first.hash)).not.toBeNull();
      expect(await store.admin.deleteSession(first.id)).toBe(true);
      expect(await other.admin.findSession(first.hash)).toBeNull();
      expect(await other.admin.findSession(second.hash)).not.toBeNull();
      expect(await other.admin.deleteSession(first.id)).toBe(false);
      await store.admin.markSessionUsed(first.id);
      expect((await other.admin.sessions()).map(({ id }) => id)).toEqual([second.id]);
    });
  });

  describe('admin: audit', () => {
    it('returns the newest entries first, also if the clock is set back', async () => {
      const { store, clock } = await setUp();
      await store.admin.addAudit({ session: 'a', action: 'sign-in', count: 1 });
      clock.now -= HOUR_MS;
      await store.admin.addAudit({
        session: 'a',
        admin: 'ada@example.org',
        action: 'export',
        count: 12,
        filter: 'pending',
      });
      const change = {
        session: 'a',
        admin: 'ada@example.org',
        member: 'bob@example.org',
        action: 'change-member',
      } as const;
      await store.admin.addAudit({ ...change, count: 1 });
      expect(await store.admin.audit(10)).toEqual([
        { at: NOW - HOUR_MS, ...change, count: 1 },
        { at: NOW - HOUR_MS, session: 'a', admin: 'ada@example.org', action: 'export', count: 12, filter: 'pending' },
        { at: NOW, session: 'a', action: 'sign-in', count: 1 },
      ]);
      expect(await store.admin.audit(1)).toMatchObject([{ action: 'change-member' }]);
    });

    it('keeps the newest entries, and is bounded', async () => {
      const { store, open } = await setUp();
      const other = open();
      for (let count = 0; count < AUDIT_ENTRIES + 20; count += 1) {
        await (count % 2 ? store : other).admin.addAudit({ session: 'a', action: 'export', count });
      }
      const counts = (await store.admin.audit(20_000)).map(({ count }) => count);
      expect(counts).toEqual(Array.from({ length: AUDIT_ENTRIES }, (_, back) => AUDIT_ENTRIES + 19 - back));
    });
  });

  describe('admin: settings', () => {
    it('returns the defaults, then what was saved, for each admin', async () => {
      const { store, open } = await setUp();
      expect(await store.admin.settings(ADMIN)).toEqual(DEFAULT_ADMIN_SETTINGS);
      await store.admin.saveSettings(ADMIN, CHOSEN);
      expect(await open().admin.settings(ADMIN)).toEqual(CHOSEN);
      await store.admin.saveSettings(ADMIN, DEFAULT_ADMIN_SETTINGS);
      expect(await store.admin.settings(ADMIN)).toEqual(DEFAULT_ADMIN_SETTINGS);
      expect(await store.admin.settings('other@example.com')).toEqual(DEFAULT_ADMIN_SETTINGS);
    });

    it('tells of signups since the admin asked for notices, each period once', async () => {
      const { store, open, clock, messages } = await setUp();
      const { admin } = store;
      const notice = { type: 'signups', signups: 2, since: NOW } as const;
      expect(await admin.signupsNoticedUntil(ADMIN)).toBeNull();
      await admin.saveSettings(ADMIN, CHOSEN);
      expect(await admin.signupsNoticedUntil(ADMIN)).toBe(NOW);
      clock.now += HOUR_MS;
      await admin.saveSettings(ADMIN, { ...CHOSEN, signup_notices: 'each', time_zone: null });
      expect(await admin.signupsNoticedUntil(ADMIN)).toBe(NOW);
      const other = open();
      const queued = await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          (turn % 2 ? store : other).admin.queueSignupNotice(ADMIN, NOW + HOUR_MS, notice),
        ),
      );
      expect(queued.filter(Boolean)).toHaveLength(1);
      expect(await claimed(store)).toMatchObject({ email: ADMIN, notice });
      expect(await messages()).toHaveLength(1);
      expect(await admin.signupsNoticedUntil(ADMIN)).toBe(NOW + HOUR_MS);
      expect(await admin.signupsNoticedUntil('other@example.com')).toBeNull();
      expect(await admin.queueSignupNotice('other@example.com', NOW + HOUR_MS, notice)).toBe(false);
      await admin.saveSettings(ADMIN, DEFAULT_ADMIN_SETTINGS);
      expect(await admin.signupsNoticedUntil(ADMIN)).toBeNull();
      clock.now += HOUR_MS;
      await admin.saveSettings(ADMIN, CHOSEN);
      expect(await admin.signupsNoticedUntil(ADMIN)).toBe(clock.now);
    });

    it('gives the email of a week to one caller, once, and none for an earlier week', async () => {
      const { store, open, messages } = await setUp();
      const other = open();
      const notice = { type: 'weekly', period: '16 – 22 March 2026', figures: [], dailySignups: [] } as const;
      const queue = ({ admin }: typeof store, week: number, email = ADMIN) =>
        admin.queueWeeklyEmail(email, week, notice);
      const queueOften = (week: number) =>
        Promise.all(Array.from({ length: 10 }, (_, turn) => queue(turn % 2 ? store : other, week)));
      expect(await store.admin.isWeeklyEmailQueued(ADMIN, NOW)).toBe(false);
      expect((await queueOften(NOW)).filter(Boolean)).toHaveLength(1);
      expect((await queueOften(NOW)).filter(Boolean)).toHaveLength(0);
      expect(await other.admin.isWeeklyEmailQueued(ADMIN, NOW)).toBe(true);
      expect(await other.admin.isWeeklyEmailQueued(ADMIN, NOW - 1)).toBe(true);
      expect(await other.admin.isWeeklyEmailQueued(ADMIN, NOW + 1)).toBe(false);
      expect((await queueOften(NOW + 7 * 24 * HOUR_MS)).filter(Boolean)).toHaveLength(1);
      expect(await queue(store, NOW)).toBe(false);
      expect(await queue(store, NOW, 'other@example.com')).toBe(true);
      await store.admin.saveSettings(ADMIN, CHOSEN);
      expect(await queue(store, NOW + 7 * 24 * HOUR_MS)).toBe(false);
      expect(await queue(store, NOW + 14 * 24 * HOUR_MS)).toBe(true);
      expect(await claimed(store)).toMatchObject({ kind: 'notice', notice });
      expect(await messages()).toHaveLength(4);
      expect(await store.admin.settings(ADMIN)).toEqual(CHOSEN);
    });
  });
}
