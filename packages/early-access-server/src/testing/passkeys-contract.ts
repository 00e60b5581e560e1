import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import type { Passkey } from '../app/ports/passkey-store.ts';
import { claim, claimed, NOW, type SetUp } from './harness.ts';

const ADA = 'ada@example.com';
const KEY = { credential_id: 'Y3JlZGVudGlhbA', email: ADA, name: 'Ada’s “laptop”', public_key: 'cHVibGlj', counter: 7 };

const NOTICE = { type: 'passkey-added', since: NOW } as const;

const newSession = () => ({ id: randomUUID(), hash: randomUUID(), device: 'Firefox on Linux' });

/** Tests passkeys, and ending all sessions of a person. */
export function passkeysContract(setUp: SetUp): void {
  describe('passkeys', () => {
    it('are stored once, whoever adds them, and listed for their owner in every process', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const added = await Promise.all([
        store.passkeys.add(KEY, NOTICE),
        other.passkeys.add({ ...KEY, email: 'eve@example.com', name: 'Mine' }, NOTICE),
      ]);
      const [first] = added.filter((passkey): passkey is Passkey => passkey !== null);
      expect(added.filter((passkey) => passkey === null)).toHaveLength(1);
      expect(first).toMatchObject({ credential_id: KEY.credential_id, created_at: NOW, last_used_at: null });
      expect(await other.passkeys.find(KEY.credential_id)).toEqual(first);
      expect(await other.passkeys.find('unknown')).toBeNull();
      // The owner gets a notice for the new passkey only, not for failed additions.
      expect(await claimed(store)).toMatchObject({ kind: 'notice', email: first?.email, notice: NOTICE });
      expect(await claim(store)).toBeNull();
      clock.now += 1;
      const long = await store.passkeys.add({ ...KEY, email: ADA, credential_id: 'x'.repeat(1_364) }, null);
      const own = first?.email === ADA ? [first, long] : [long];
      expect(await other.passkeys.list(ADA)).toEqual(own);
    });

    it('are renamed and removed by their owner only, and a removal ends no session', async () => {
      const { store, open } = await setUp();
      const other = open();
      const { id = '' } = (await store.passkeys.add(KEY, null)) ?? {};
      const session = newSession();
      expect(await store.passkeys.signIn(KEY.credential_id, 8, session)).not.toBeNull();
      expect(await store.passkeys.rename('eve@example.com', id, 'Mine')).toBe(false);
      expect(await store.passkeys.remove('eve@example.com', id)).toBe(false);
      expect(await store.passkeys.rename(ADA, id, 'Phone')).toBe(true);
      expect(await other.passkeys.list(ADA)).toMatchObject([{ name: 'Phone' }]);
      const removed = await Promise.all([store, other].map(({ passkeys }) => passkeys.remove(ADA, id)));
      expect(removed.toSorted()).toEqual([false, true]);
      expect(await other.passkeys.signIn(KEY.credential_id, 9, newSession())).toBeNull();
      expect(await other.admin.findSession(session.hash)).not.toBeNull();
    });

    it('sign in with a counter that goes up, once with each, in every process', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      await store.passkeys.add(KEY, null);
      clock.now += MINUTE_MS;
      const session = newSession();
      const expected = {
        id: session.id,
        device: session.device,
        email: ADA,
        created_at: clock.now,
        last_used_at: clock.now,
      };
      expect(await store.passkeys.signIn(KEY.credential_id, 8, session)).toEqual(expected);
      expect(await other.admin.findSession(session.hash)).toEqual(expected);
      expect(await other.passkeys.find(KEY.credential_id)).toMatchObject({ counter: 8, last_used_at: clock.now });
      for (const counter of [0, 7, 8])
        expect(await other.passkeys.signIn(KEY.credential_id, counter, newSession())).toBeNull();
      const racing = await Promise.all(
        [store, other].map(({ passkeys }) => passkeys.signIn(KEY.credential_id, 9, newSession())),
      );
      expect(racing.filter((opened) => opened !== null)).toHaveLength(1);
      expect(await store.admin.sessions()).toHaveLength(2);
    });

    it('may have no counter', async () => {
      const { store } = await setUp();
      await store.passkeys.add({ ...KEY, counter: 0 }, null);
      for (const counter of [0, 0])
        expect(await store.passkeys.signIn(KEY.credential_id, counter, newSession())).not.toBeNull();
    });

    it('are removed with a member, and given to no one who is invited again', async () => {
      const { store } = await setUp();
      await store.passkeys.add(KEY, null);
      await store.passkeys.add({ ...KEY, credential_id: 'other', email: 'owner@example.com' }, null);
      const { id = '' } =
        (await store.team.invite({ email: ADA, role: 'admin', invited_by: 'owner@example.com' })) ?? {};
      expect(await store.passkeys.list(ADA)).toEqual([]);
      await store.passkeys.add(KEY, null);
      await store.team.removeMember(id);
      expect(await store.passkeys.find(KEY.credential_id)).toBeNull();
      expect(await store.passkeys.list('owner@example.com')).toHaveLength(1);
    });
  });

  describe('admin: challenges and signing out', () => {
    it('a challenge is taken once, by one of racing calls, until it expires, with its address', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const add = (hash: string, email = '') => store.admin.addSignInToken({ hash, email, expires_at: NOW + 1_000 });
      await add('racing', ADA);
      const taken = await Promise.all([store, other].map(({ admin }) => admin.takeSignInToken('racing')));
      expect(taken.filter((email) => email !== null)).toEqual([ADA]);
      await add('late');
      await add('in time');
      clock.now += 999;
      expect(await other.admin.takeSignInToken('in time')).toBe('');
      clock.now += 1;
      expect(await other.admin.takeSignInToken('late')).toBeNull();
      expect(await other.admin.takeSignInToken('unknown')).toBeNull();
    });

    it('someone is signed out everywhere, with unused links, and no one else is', async () => {
      const { store, open } = await setUp();
      const other = open();
      await store.passkeys.add(KEY, null);
      await store.passkeys.add({ ...KEY, credential_id: 'other', email: 'bob@example.com' }, null);
      const sessions = [newSession(), newSession()];
      for (const [index, session] of sessions.entries())
        await store.passkeys.signIn(KEY.credential_id, 8 + index, session);
      const bobs = newSession();
      await store.passkeys.signIn('other', 8, bobs);
      await store.admin.addSignInToken({ hash: 'link', email: ADA, expires_at: NOW + MINUTE_MS });
      expect(await other.admin.deleteSessionsOf(ADA)).toBe(2);
      for (const { hash } of sessions) expect(await store.admin.findSession(hash)).toBeNull();
      expect(await store.admin.redeemSignInToken('link', newSession())).toBeNull();
      expect(await store.admin.findSession(bobs.hash)).not.toBeNull();
      expect(await store.passkeys.list(ADA)).toHaveLength(1);
      expect(await other.admin.deleteSessionsOf(ADA)).toBe(0);
    });
  });
}
