import { createHash, randomUUID } from 'node:crypto';
import { MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ADMIN_SETTINGS } from '../app/ports/admin-store.ts';
import type { Store } from '../app/ports/store.ts';
import { NOW, type SetUp } from './harness.ts';

const OWNER = 'owner@example.com';
const ADA = { email: 'ada@example.com', role: 'editor', invited_by: OWNER } as const;

const newHash = () => createHash('sha256').update(randomUUID()).digest('hex');

/** Stores an unused sign-in link. Returns its hash. */
async function addLink({ admin }: Store, email: string): Promise<string> {
  const hash = newHash();
  await admin.addSignInToken({ hash, email, expires_at: NOW + 15 * MINUTE_MS });
  return hash;
}

/** Returns the hash of the session's token. */
async function signIn(store: Store, email: string): Promise<string> {
  const hash = newHash();
  const session = { id: randomUUID(), hash, device: 'Firefox on Linux' };
  expect(await store.admin.redeemSignInToken(await addLink(store, email), session)).not.toBeNull();
  return hash;
}

/** Tests the people whom admins invite to the dashboard. */
export function teamContract(setUp: SetUp): void {
  describe('team', () => {
    it('has each address once, in the order of the invitations, in every process', async () => {
      const { store, open, clock } = await setUp();
      const other = open();
      const added = await Promise.all([store, other].map(({ team }) => team.invite(ADA)));
      const [ada] = added.filter((member) => member !== null);
      expect(added.filter((member) => member === null)).toHaveLength(1);
      expect(ada).toEqual({ ...ADA, id: expect.any(String), invited_at: NOW, signed_in_at: null });
      clock.now += 1;
      const bob = await other.team.invite({ email: 'bob@example.com', role: 'viewer', invited_by: ADA.email });
      expect(await store.team.members()).toEqual([ada, bob]);
      expect(await store.team.findMember(ADA.email)).toEqual(ada);
      expect(await store.team.findMember(OWNER)).toBeNull();
    });

    it('changes a role at once, in every process', async () => {
      const { store, open } = await setUp();
      const other = open();
      const { id = '' } = (await store.team.invite(ADA)) ?? {};
      expect(await store.team.changeRole(id, 'viewer')).toMatchObject({ email: ADA.email, role: 'viewer' });
      expect(await other.team.findMember(ADA.email)).toMatchObject({ role: 'viewer' });
      expect(await store.team.changeRole('unknown', 'admin')).toBeNull();
    });

    it('stores the first sign-in of a member, and nothing of anyone else', async () => {
      const { store, clock } = await setUp();
      await store.team.invite(ADA);
      for (const email of [ADA.email, OWNER, ADA.email]) {
        clock.now += MINUTE_MS;
        await store.team.recordSignIn(email);
      }
      expect(await store.team.members()).toMatchObject([{ email: ADA.email, signed_in_at: NOW + MINUTE_MS }]);
    });

    it('ends everything of a member who is removed, and nothing of others', async () => {
      const { store, open } = await setUp();
      const other = open();
      const { id = '' } = (await store.team.invite(ADA)) ?? {};
      const [sessions, owners] = [
        [await signIn(store, ADA.email), await signIn(other, ADA.email)],
        await signIn(store, OWNER),
      ];
      const [link, ownersLink] = [await addLink(store, ADA.email), await addLink(store, OWNER)];
      const chosen = { ...DEFAULT_ADMIN_SETTINGS, weekly_email: true };
      await store.admin.saveSettings(ADA.email, chosen);
      await store.admin.saveSettings(OWNER, chosen);
      await store.admin.queueWeeklyEmail(ADA.email, NOW, { type: 'signups', signups: 1, since: NOW });

      const removed = await Promise.all([store, other].map(({ team }) => team.removeMember(id)));
      expect(removed.filter((member) => member !== null)).toMatchObject([{ email: ADA.email }]);
      for (const session of sessions) expect(await other.admin.findSession(session)).toBeNull();
      expect(await other.admin.redeemSignInToken(link, { id: 'x', hash: newHash(), device: '' })).toBeNull();
      expect(await store.admin.settings(ADA.email)).toEqual(DEFAULT_ADMIN_SETTINGS);
      expect(await store.admin.isWeeklyEmailQueued(ADA.email, NOW)).toBe(false);
      expect(await store.team.members()).toEqual([]);

      expect(await other.admin.findSession(owners)).not.toBeNull();
      expect(await store.admin.settings(OWNER)).toEqual(chosen);
      expect(await other.admin.redeemSignInToken(ownersLink, { id: 'y', hash: newHash(), device: '' })).not.toBeNull();
    });

    it('gives someone who is invited again nothing from before', async () => {
      const { store } = await setUp();
      const [session, link] = [await signIn(store, ADA.email), await addLink(store, ADA.email)];
      expect(await store.team.invite(ADA)).not.toBeNull();
      expect(await store.admin.findSession(session)).toBeNull();
      expect(await store.admin.redeemSignInToken(link, { id: 'x', hash: newHash(), device: '' })).toBeNull();
      // A second invitation changes nothing.
      const again = await signIn(store, ADA.email);
      expect(await store.team.invite({ ...ADA, role: 'admin' })).toBeNull();
      expect(await store.admin.findSession(again)).not.toBeNull();
      expect(await store.team.findMember(ADA.email)).toMatchObject({ role: 'editor' });
    });

    it('opens no session for a link that is used while the member is removed', async () => {
      const { store, open } = await setUp();
      const other = open();
      for (let turn = 0; turn < 5; turn += 1) {
        const { id = '' } = (await store.team.invite(ADA)) ?? {};
        const [link, hash] = [await addLink(store, ADA.email), newHash()];
        await Promise.all([
          store.team.removeMember(id),
          other.admin.redeemSignInToken(link, { id: randomUUID(), hash, device: '' }),
        ]);
        expect(await store.admin.findSession(hash)).toBeNull();
      }
    });
  });
}
