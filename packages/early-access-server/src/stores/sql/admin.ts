import {
  isSessionValid,
  isSignInTokenValid,
  newSession,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  withLastUse,
} from '../../app/admin/sign-in.ts';
import type { AdminSession, AdminStore } from '../../app/ports/admin-store.ts';
import { toAdminSession, toAdminSettings, toAuditEntry, toSignupsNoticedUntil } from './admin-rows.ts';
import { addAuditEntry } from './audit.ts';
import { queueNotices } from './messages.ts';
import { integer, type Row, text } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sql, type Transaction } from './statement.ts';
import type { StoreSettings } from './store-options.ts';

/** Stores a new session, and deletes those that have ended. */
export function* openSession(session: AdminSession, hash: string): Transaction<AdminSession> {
  const { id, email, created_at, last_used_at, device } = session;
  yield* sql`
    DELETE FROM @admin_sessions
    WHERE last_used_at <= ${created_at - SESSION_IDLE_MS} OR created_at <= ${created_at - SESSION_MAX_MS}
  `;
  yield* sql`
    INSERT INTO @admin_sessions (id, hash, email, created_at, last_used_at, device)
    VALUES (${id}, ${hash}, ${email}, ${created_at}, ${last_used_at}, ${device})
  `;
  return session;
}

/** Sign-in links, sessions, admin settings and the audit. */
export function adminStore({ query, write }: SqlDatabase, { clock, auditEntries }: StoreSettings): AdminStore {
  async function findSettings(email: string): Promise<Row | undefined> {
    const [row] = await query(sql`SELECT * FROM @admin_settings WHERE email = ${email}`);
    return row;
  }

  return {
    addSignInToken: ({ hash, email, expires_at }) =>
      write(function* () {
        yield* sql`DELETE FROM @admin_sign_in_tokens WHERE expires_at <= ${clock()}`;
        yield* sql`INSERT INTO @admin_sign_in_tokens (hash, email, expires_at) VALUES (${hash}, ${email}, ${expires_at})`;
      }),
    redeemSignInToken: (hash, { hash: sessionHash, ...opened }) =>
      write(function* () {
        const now = clock();
        const [token] = yield* sql`DELETE FROM @admin_sign_in_tokens WHERE hash = ${hash} RETURNING email, expires_at`;
        if (token === undefined || !isSignInTokenValid({ expires_at: integer(token, 'expires_at') }, now)) return null;
        return yield* openSession(newSession(text(token, 'email'), opened, now), sessionHash);
      }),
    takeSignInToken: (hash) =>
      write(function* () {
        const [token] = yield* sql`DELETE FROM @admin_sign_in_tokens WHERE hash = ${hash} RETURNING email, expires_at`;
        const isValid = token && isSignInTokenValid({ expires_at: integer(token, 'expires_at') }, clock());
        return isValid ? text(token, 'email') : null;
      }),
    async findSession(hash) {
      const [row] = await query(sql`SELECT * FROM @admin_sessions WHERE hash = ${hash}`);
      const session = row === undefined ? null : toAdminSession(row);
      return session !== null && isSessionValid(session, clock()) ? session : null;
    },
    markSessionUsed: (id) =>
      write(function* () {
        const [row] = yield* sql`SELECT * FROM @admin_sessions WHERE id = ${id}`;
        if (row === undefined) return;
        const { last_used_at } = withLastUse(toAdminSession(row), clock());
        yield* sql`UPDATE @admin_sessions SET last_used_at = ${last_used_at} WHERE id = ${id}`;
      }),
    async sessions() {
      const rows = await query(sql`SELECT * FROM @admin_sessions ORDER BY last_used_at DESC`);
      return rows.map(toAdminSession).filter((session) => isSessionValid(session, clock()));
    },
    deleteSession: async (id) => (await write(() => sql`DELETE FROM @admin_sessions WHERE id = ${id}`)).count > 0,
    deleteSessionsOf: (email) =>
      write(function* () {
        yield* sql`DELETE FROM @admin_sign_in_tokens WHERE email = ${email}`;
        return (yield* sql`DELETE FROM @admin_sessions WHERE email = ${email}`).count;
      }),
    addAudit: (entry) => write(() => addAuditEntry(entry, auditEntries, clock())),
    audit: async (limit) =>
      (await query(sql`SELECT * FROM @admin_audit ORDER BY id DESC LIMIT ${limit}`)).map(toAuditEntry),
    settings: async (email) => toAdminSettings(await findSettings(email)),
    async saveSettings(email, { time_zone, weekly_email, signup_notices }) {
      await write(
        () => sql`
          INSERT INTO @admin_settings AS stored (email, time_zone, weekly_email, signup_notices, signups_noticed_until)
          VALUES (${email}, ${time_zone}, ${weekly_email ? 1 : 0}, ${signup_notices}, ${clock()})
          ON CONFLICT (email) DO UPDATE SET time_zone = excluded.time_zone, weekly_email = excluded.weekly_email,
            signup_notices = excluded.signup_notices, signups_noticed_until =
              CASE stored.signup_notices WHEN 'off' THEN excluded.signups_noticed_until ELSE stored.signups_noticed_until END
        `,
      );
    },
    queueWeeklyEmail: (email, week, notice) =>
      write(function* () {
        const { count } = yield* sql`
          INSERT INTO @admin_weekly_emails AS queued (email, week) VALUES (${email}, ${week})
          ON CONFLICT (email) DO UPDATE SET week = excluded.week WHERE excluded.week > queued.week
        `;
        if (count > 0) yield* queueNotices([email], notice, clock());
        return count > 0;
      }),
    async isWeeklyEmailQueued(email, week) {
      return (
        (await query(sql`SELECT 1 FROM @admin_weekly_emails WHERE email = ${email} AND week >= ${week}`)).count > 0
      );
    },
    signupsNoticedUntil: async (email) => toSignupsNoticedUntil(await findSettings(email)),
    queueSignupNotice: (email, until, notice) =>
      write(function* () {
        const { count } = yield* sql`
          UPDATE @admin_settings SET signups_noticed_until = ${until}
          WHERE email = ${email} AND signups_noticed_until = ${notice.since}
        `;
        if (count > 0) yield* queueNotices([email], notice, clock());
        return count > 0;
      }),
  };
}
