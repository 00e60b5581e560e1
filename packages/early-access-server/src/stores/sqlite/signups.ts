import type { DatabaseSync } from 'node:sqlite';
import { ATTRIBUTION_FIELDS, type EmailSignup, type SignupResult, type StoredSignup } from 'early-access-kit/core';
import type { Counting } from './analytics/counting.ts';
import { messageInsert } from './message-row.ts';
import { integer, presentTexts, type Row, text, textOrNull } from './row.ts';
import type { RecordEvent } from './webhooks/event-recorder.ts';

/** Statements on `email_signups`; each method is one member of a transaction. */
export interface SignupTable {
  /** Stores the signup and queues its welcome email, unless the address is stored already. `signup` is valid and normalised. */
  insert(signup: EmailSignup, now: number): SignupResult;
  count(): number;
  /** Every signup, oldest first, read while you iterate. */
  all(): Iterable<StoredSignup>;
}

export function signupTable(
  db: DatabaseSync,
  counting: Counting,
  record: RecordEvent,
  withWelcomeEmail = true,
): SignupTable {
  const insert = db.prepare(`
    INSERT INTO email_signups (email, session_id, source, referrer, submission_id, created_at,
      page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING
  `);
  const queueMessage = messageInsert(db);
  const submissionOf = db.prepare('SELECT submission_id FROM email_signups WHERE email = ?');
  const count = db.prepare('SELECT signups FROM signup_count');
  const all = db.prepare('SELECT * FROM email_signups ORDER BY id');

  return {
    insert({ email, session_id, source, referrer, submission_id, ...attribution }, now) {
      const { changes, lastInsertRowid } = insert.run(
        email,
        session_id,
        source,
        referrer,
        submission_id,
        now,
        attribution.page_url ?? null,
        attribution.utm_source ?? null,
        attribution.utm_medium ?? null,
        attribution.utm_campaign ?? null,
        attribution.utm_term ?? null,
        attribution.utm_content ?? null,
      );
      if (changes === 0) return submissionOf.get(email)?.submission_id === submission_id ? 'created' : 'duplicate';
      counting.countSignup(lastInsertRowid);
      if (withWelcomeEmail) queueMessage(lastInsertRowid, now);
      record('signup.created', { id: lastInsertRowid, submission_id }, now);
      return 'created';
    },
    count: () => integer(count.get(), 'signups'),
    *all() {
      for (const row of all.iterate()) yield toSignup(row);
    },
  };
}

function toSignup(row: Row): StoredSignup {
  return {
    email: text(row, 'email'),
    session_id: textOrNull(row, 'session_id'),
    source: text(row, 'source'),
    referrer: textOrNull(row, 'referrer'),
    submission_id: text(row, 'submission_id'),
    created_at: integer(row, 'created_at'),
    ...presentTexts(row, ATTRIBUTION_FIELDS),
  };
}
