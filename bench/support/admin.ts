import { createHash, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export const ADMIN = 'admin@example.org';

/** Stores an admin's session. Returns its cookie. */
export function signIn(file: string): string {
  const token = randomBytes(32).toString('base64url');
  const db = new DatabaseSync(file);
  db.prepare('INSERT INTO admin_sessions VALUES (?, ?, ?, ?, ?, ?)').run(
    token.slice(0, 16),
    createHash('sha256').update(token).digest('hex'),
    ADMIN,
    Date.now(),
    Date.now(),
    'bench',
  );
  db.close();
  return `early_access=${token}`;
}
