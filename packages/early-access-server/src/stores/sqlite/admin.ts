import type { DatabaseSync } from 'node:sqlite';
import type { AdminSession, AdminSettings, AdminStore, AuditEntry } from '../../app/admin/admin-store.ts';
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
import type { GroupCommit } from './group-commit.ts';

/** What the store keeps about admins: sign-in links, sessions, what they did, and what they chose. */
export interface SqliteAdminStore extends AdminStore {
  findSession(hash: string): AdminSession | null;
  sessions(): readonly AdminSession[];
  audit(limit: number): readonly AuditEntry[];
  settings(email: string): AdminSettings;
  isWeeklyEmailClaimed(email: string, week: number): boolean;
  signupsNoticedUntil(email: string): number | null;
}

export function adminTables(db: DatabaseSync, commit: GroupCommit, clock: Clock, audit: AuditTable): SqliteAdminStore {
  const pruneTokens = db.prepare('DELETE FROM admin_sign_in_tokens WHERE expires_at <= ?');
  const addToken = db.prepare('INSERT INTO admin_sign_in_tokens (hash, email, expires_at) VALUES (?, ?, ?)');
  const takeToken = db.prepare('DELETE FROM admin_sign_in_tokens WHERE hash = ? RETURNING email, expires_at');
  const pruneSessions = db.prepare('DELETE FROM admin_sessions WHERE last_used_at <= ? OR created_at <= ?');
  const addSession = db.prepare(
    'INSERT INTO admin_sessions (id, hash, email, created_at, last_used_at, device) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const sessionByHash = db.prepare('SELECT * FROM admin_sessions WHERE hash = ?');
  const sessionById = db.prepare('SELECT * FROM admin_sessions WHERE id = ?');
  const allSessions = db.prepare('SELECT * FROM admin_sessions ORDER BY last_used_at DESC');
  const touchSession = db.prepare('UPDATE admin_sessions SET last_used_at = ? WHERE id = ?');
  const removeSession = db.prepare('DELETE FROM admin_sessions WHERE id = ?');
  const readSettings = db.prepare('SELECT * FROM admin_settings WHERE email = ?');
  const saveSettings = db.prepare(`
    INSERT INTO admin_settings (email, time_zone, weekly_email, signup_notices, signups_noticed_until) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (email) DO UPDATE SET time_zone = excluded.time_zone, weekly_email = excluded.weekly_email,
      signup_notices = excluded.signup_notices,
      signups_noticed_until = iif(signup_notices = 'off', excluded.signups_noticed_until, signups_noticed_until)
  `);
  const findClaim = db.prepare('SELECT 1 FROM admin_weekly_emails WHERE email = ? AND week >= ?');
  const claimWeek = db.prepare(`
    INSERT INTO admin_weekly_emails (email, week) VALUES (?, ?)
    ON CONFLICT (email) DO UPDATE SET week = excluded.week WHERE excluded.week > week
  `);

  const claimNotice = db.prepare(
    'UPDATE admin_settings SET signups_noticed_until = ? WHERE email = ? AND signups_noticed_until = ?',
  );

  return {
    addSignInToken: ({ hash, email, expires_at }) =>
      commit.run(() => {
        pruneTokens.run(clock());
        addToken.run(hash, email, expires_at);
      }),
    redeemSignInToken: (hash, { hash: sessionHash, ...opened }) =>
      commit.run(() => {
        const now = clock();
        const token = takeToken.get(hash);
        if (token === undefined || !isSignInTokenValid({ expires_at: integer(token, 'expires_at') }, now)) return null;
        pruneSessions.run(now - SESSION_IDLE_MS, now - SESSION_MAX_MS);
        const session = newSession(text(token, 'email'), opened, now);
        const { id, email, created_at, last_used_at, device } = session;
        addSession.run(id, sessionHash, email, created_at, last_used_at, device);
        return session;
      }),
    findSession(hash) {
      const row = sessionByHash.get(hash);
      const session = row === undefined ? null : toAdminSession(row);
      return session !== null && isSessionValid(session, clock()) ? session : null;
    },
    touchSession: (id) =>
      commit.run(() => {
        const row = sessionById.get(id);
        if (row !== undefined) touchSession.run(touched(toAdminSession(row), clock()).last_used_at, id);
      }),
    sessions: () =>
      allSessions
        .all()
        .map(toAdminSession)
        .filter((session) => isSessionValid(session, clock())),
    deleteSession: (id) => commit.run(() => removeSession.run(id).changes > 0),
    addAudit: (entry) => commit.run(() => audit.add(entry)),
    audit: audit.newest,
    settings: (email) => toAdminSettings(readSettings.get(email)),
    saveSettings: (email, { time_zone, weekly_email, signup_notices }) =>
      commit.run(() => void saveSettings.run(email, time_zone, weekly_email ? 1 : 0, signup_notices, clock())),
    claimWeeklyEmail: (email, week) => commit.run(() => claimWeek.run(email, week).changes > 0),
    isWeeklyEmailClaimed: (email, week) => findClaim.get(email, week) !== undefined,
    signupsNoticedUntil: (email) => toSignupsNoticedUntil(readSettings.get(email)),
    claimSignupNotice: (email, after, until) => commit.run(() => claimNotice.run(until, email, after).changes > 0),
  };
}
