/** A signup as all compared servers store it. */
export interface Signup {
  readonly email: string;
  readonly session_id: string | null;
  readonly source: string | null;
  readonly referrer: string | null;
  readonly submission_id: string | null;
}

/** All servers use the same columns and guarantee one row per address. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS signups (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, session_id TEXT, source TEXT, referrer TEXT, submission_id TEXT,
  created_at INTEGER NOT NULL
)`;
export const INSERT = `INSERT INTO signups (email, session_id, source, referrer, submission_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING`;

/** An acknowledged signup must be on disk: with better-sqlite3's default, NORMAL, a power cut loses the latest ones. */
export const PRAGMAS = ['journal_mode = WAL', 'synchronous = FULL'] as const;

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Parses the signup in a request's body; null if it is invalid. */
export function parseSignup(text: string): Signup | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null || !('email' in body) || typeof body.email !== 'string') return null;
  const email = body.email.trim().toLowerCase();
  if (email.length > 254 || !ADDRESS.test(email)) return null;
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(body, name);
    return typeof value === 'string' && value.length <= 2_000 ? value : null;
  };
  return {
    email,
    session_id: field('session_id'),
    source: field('source'),
    referrer: field('referrer'),
    submission_id: field('submission_id'),
  };
}
