import { randomUUID } from 'node:crypto';
import { isAdmin } from '../access/admin-check.ts';
import { hashToken, isToken, newToken } from '../access/secrets.ts';
import type { Background } from '../jobs/background.ts';
import type { AdminSession, AdminStore, AuditAction, AuditAuthor } from '../ports/admin-store.ts';
import type { Clock } from '../ports/clock.ts';
import { describeDevice, shouldMarkUsed } from './sign-in.ts';

export interface AdminSessionsOptions {
  readonly store: AdminStore;
  /** Normalised. */
  readonly admins: readonly string[];
  readonly background: Background;
  readonly clock: Clock;
}

/** How an entry of the audit names its author. */
export function toAuditAuthor(author: AdminSession | AuditAuthor): AuditAuthor {
  return 'id' in author ? { session: author.id, admin: author.email } : author;
}

/** The signed-in browsers of the admins. */
export function adminSessions({ store, admins, background, clock }: AdminSessionsOptions) {
  function record(author: AdminSession | AuditAuthor, action: AuditAction, count: number): Promise<void> {
    return store.addAudit({ ...toAuditAuthor(author), action, count });
  }
  return {
    /** Redeems the token of a link. Returns the token for the cookie and the session, or null if the link does not work. */
    async open(linkToken: unknown, userAgent: string | undefined) {
      if (!isToken(linkToken)) return null;
      const token = newToken();
      const session = await store.redeemSignInToken(hashToken(linkToken), {
        id: randomUUID(),
        hash: hashToken(token),
        device: describeDevice(userAgent),
      });
      if (session === null || !isAdmin(session.email, admins)) return null;
      await record(session, 'sign-in', 1);
      return { token, session };
    },
    /** The session of a cookie's token. Null if there is none, if it has ended, or if its address is no longer an admin's. */
    async find(token: unknown): Promise<AdminSession | null> {
      if (!isToken(token)) return null;
      const session = await store.findSession(hashToken(token));
      if (session === null || !isAdmin(session.email, admins)) return null;
      // Not awaited: an admin can look at the list while the disk is full.
      if (shouldMarkUsed(session, clock()))
        background.run('admin-session-use-not-recorded', () => store.markSessionUsed(session.id));
      return session;
    },
    list: async () => (await store.sessions()).filter(({ email }) => isAdmin(email, admins)),
    close: (id: string) => store.deleteSession(id),
    record,
  };
}
