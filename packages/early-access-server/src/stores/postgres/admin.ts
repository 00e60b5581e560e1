import type { AdminStore } from '../../app/admin/admin-store.ts';
import {
  isSessionValid,
  isSignInTokenValid,
  newSession,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  touched,
} from '../../app/admin/sign-in.ts';
import type { Clock } from '../../app/ports.ts';
import { toAdminSession, toAdminSettings, toSignupsNoticedUntil } from '../sql/admin-rows.ts';
import { integer, text } from '../sql/row.ts';
import type { AuditTable } from './audit.ts';
import type { Database } from './database.ts';

/** What the store keeps about admins: sign-in links, sessions, what they did, and what they chose. */
export function adminTables(database: Database, clock: Clock, audit: AuditTable): AdminStore {
  const settingsOf = (email: string) =>
    database.read(async (sql) => {
      const [row] = await sql`SELECT * FROM early_access.admin_settings WHERE email = ${email}`;
      return row;
    });

  return {
    addSignInToken: ({ hash, email, expires_at }) =>
      database.write(async (tx) => {
        await tx`DELETE FROM early_access.admin_sign_in_tokens WHERE expires_at <= ${clock()}`;
        await tx`
          INSERT INTO early_access.admin_sign_in_tokens (hash, email, expires_at) VALUES (${hash}, ${email}, ${expires_at})
        `;
      }),
    redeemSignInToken: (hash, { hash: sessionHash, ...opened }) =>
      database.write(async (tx) => {
        const now = clock();
        const [token] = await tx`
          DELETE FROM early_access.admin_sign_in_tokens WHERE hash = ${hash} RETURNING email, expires_at
        `;
        if (token === undefined || !isSignInTokenValid({ expires_at: integer(token, 'expires_at') }, now)) return null;
        await tx`
          DELETE FROM early_access.admin_sessions
          WHERE last_used_at <= ${now - SESSION_IDLE_MS} OR created_at <= ${now - SESSION_MAX_MS}
        `;
        const session = newSession(text(token, 'email'), opened, now);
        const { id, email, created_at, last_used_at, device } = session;
        await tx`
          INSERT INTO early_access.admin_sessions (id, hash, email, created_at, last_used_at, device)
          VALUES (${id}, ${sessionHash}, ${email}, ${created_at}, ${last_used_at}, ${device})
        `;
        return session;
      }),
    findSession: (hash) =>
      database.read(async (sql) => {
        const [row] = await sql`SELECT * FROM early_access.admin_sessions WHERE hash = ${hash}`;
        const session = row === undefined ? null : toAdminSession(row);
        return session !== null && isSessionValid(session, clock()) ? session : null;
      }),
    touchSession: (id) =>
      database.write(async (tx) => {
        const [row] = await tx`SELECT * FROM early_access.admin_sessions WHERE id = ${id}`;
        if (row === undefined) return;
        const { last_used_at } = touched(toAdminSession(row), clock());
        await tx`UPDATE early_access.admin_sessions SET last_used_at = ${last_used_at} WHERE id = ${id}`;
      }),
    sessions: () =>
      database.read(async (sql) => {
        const rows = await sql`SELECT * FROM early_access.admin_sessions ORDER BY last_used_at DESC`;
        return rows.map(toAdminSession).filter((session) => isSessionValid(session, clock()));
      }),
    deleteSession: (id) =>
      database.write(async (tx) => (await tx`DELETE FROM early_access.admin_sessions WHERE id = ${id}`).count > 0),
    addAudit: (entry) => database.write((tx) => audit.add(tx, entry)),
    audit: (limit) => database.read((sql) => audit.newest(sql, limit)),
    settings: async (email) => toAdminSettings(await settingsOf(email)),
    saveSettings: (email, { time_zone, weekly_email, signup_notices }) =>
      database.write(async (tx) => {
        await tx`
          INSERT INTO early_access.admin_settings AS stored (email, time_zone, weekly_email, signup_notices, signups_noticed_until)
          VALUES (${email}, ${time_zone}, ${weekly_email ? 1 : 0}, ${signup_notices}, ${clock()})
          ON CONFLICT (email) DO UPDATE SET time_zone = excluded.time_zone, weekly_email = excluded.weekly_email,
            signup_notices = excluded.signup_notices, signups_noticed_until =
              CASE stored.signup_notices WHEN 'off' THEN excluded.signups_noticed_until ELSE stored.signups_noticed_until END
        `;
      }),
    claimWeeklyEmail: (email, week) =>
      database.write(async (tx) => {
        const claimed = await tx`
          INSERT INTO early_access.admin_weekly_emails AS claimed (email, week) VALUES (${email}, ${week})
          ON CONFLICT (email) DO UPDATE SET week = excluded.week WHERE excluded.week > claimed.week
        `;
        return claimed.count > 0;
      }),
    isWeeklyEmailClaimed: (email, week) =>
      database.read(async (sql) => {
        const rows =
          await sql`SELECT 1 FROM early_access.admin_weekly_emails WHERE email = ${email} AND week >= ${week}`;
        return rows.length > 0;
      }),
    signupsNoticedUntil: async (email) => toSignupsNoticedUntil(await settingsOf(email)),
    claimSignupNotice: (email, after, until) =>
      database.write(async (tx) => {
        const claimed = await tx`
          UPDATE early_access.admin_settings SET signups_noticed_until = ${until}
          WHERE email = ${email} AND signups_noticed_until = ${after}
        `;
        return claimed.count > 0;
      }),
  };
}
