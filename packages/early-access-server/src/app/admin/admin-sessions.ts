import { randomUUID } from 'node:crypto';
import { hashToken, isToken, newToken } from '../access/secrets.ts';
import type { Background } from '../jobs/background.ts';
import type { AdminSession, AdminStore, AuditAction, AuditAuthor, AuditEntry } from '../ports/admin-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { PasskeyStore } from '../ports/passkey-store.ts';
import type { TeamStore } from '../ports/team-store.ts';
import { describeDevice, shouldMarkUsed } from './sign-in.ts';
import { mayEndSession, maySeeSession, type SignedIn, type Team } from './team.ts';

export interface AdminSessionsOptions {
  readonly store: AdminStore;
  readonly passkeys: Pick<PasskeyStore, 'signIn'>;
  readonly members: Pick<TeamStore, 'recordSignIn'>;
  readonly team: Team;
  readonly background: Background;
  readonly clock: Clock;
}

export function toAuditAuthor(author: AdminSession | AuditAuthor): AuditAuthor {
  return 'id' in author ? { session: author.id, admin: author.email } : author;
}

/** A session to be stored; the store adds the other fields. */
type NewSession = Pick<AdminSession, 'id' | 'device'> & { readonly hash: string };

export type AdminSessions = ReturnType<typeof adminSessions>;

export function adminSessions({ store, passkeys, members, team, background, clock }: AdminSessionsOptions) {
  function record(
    author: AdminSession | AuditAuthor,
    action: AuditAction,
    count: number,
    about: Pick<AuditEntry, 'member' | 'api_key' | 'filter'> = {},
  ): Promise<void> {
    return store.addAudit({ ...toAuditAuthor(author), ...about, action, count });
  }
  async function list(caller: SignedIn): Promise<readonly AdminSession[]> {
    const [sessions, addresses] = [await store.sessions(), new Set(await team.addresses())];
    return sessions.filter(({ email }) => addresses.has(email) && maySeeSession(caller, email));
  }
  /**
   * Opens a session and returns the token for the cookie. Returns null if the store opened none, or if the address may
   * not use the dashboard.
   */
  async function open(
    userAgent: string | undefined,
    openSession: (session: NewSession) => Promise<AdminSession | null>,
  ): Promise<string | null> {
    const token = newToken();
    const session = await openSession({ id: randomUUID(), hash: hashToken(token), device: describeDevice(userAgent) });
    if (session === null) return null;
    if ((await team.findAccess(session.email)) === null) {
      // Otherwise the session would work again if the address is invited later.
      await store.deleteSession(session.id);
      return null;
    }
    await members.recordSignIn(session.email);
    await record(session, 'sign-in', 1);
    return token;
  }
  return {
    /** Redeems a sign-in link's token. Returns the token for the cookie, or null if the link is invalid. */
    openByLink: async (linkToken: unknown, userAgent: string | undefined) =>
      isToken(linkToken) ? open(userAgent, (session) => store.redeemSignInToken(hashToken(linkToken), session)) : null,
    /** Opens a session for a verified passkey. Returns the token for the cookie, or null. */
    openByPasskey: (credentialId: string, counter: number, userAgent: string | undefined) =>
      open(userAgent, (session) => passkeys.signIn(credentialId, counter, session)),
    /**
     * Finds the session of a cookie's token. Returns null if there is none, if it has ended, or if its address may no
     * longer use the dashboard.
     */
    async find(token: unknown): Promise<SignedIn | null> {
      if (!isToken(token)) return null;
      const session = await store.findSession(hashToken(token));
      const access = session && (await team.findAccess(session.email));
      if (session === null || access === null) return null;
      // Not awaited, so that admins can still read the list if the disk is full.
      if (shouldMarkUsed(session, clock()))
        background.run('admin-session-use-not-recorded', () => store.markSessionUsed(session.id));
      return { ...session, ...access };
    },
    list,
    mayEnd: (caller: SignedIn, { email }: AdminSession) => mayEndSession(caller, email, team.isOwner(email)),
    close: (id: string) => store.deleteSession(id),
    /** Ends all sessions of the caller, in every browser, and invalidates unused sign-in links. */
    closeAll: ({ email }: AdminSession) => store.deleteSessionsOf(email),
    record,
  };
}
