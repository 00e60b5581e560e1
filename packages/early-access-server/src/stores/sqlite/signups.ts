import type { DatabaseSync } from 'node:sqlite';
import type { EmailSignup, SignupResult, StoredSignup } from 'early-access-kit/core';
import { newPersonId } from '../../app/list/person-id.ts';
import { type FirstSteps, firstStep, maySignUpAgain, needsConfirmation, PERSON_STATES } from '../../app/list/states.ts';
import { recordEvents } from '../sql/events.ts';
import type { NewSignup } from '../sql/list.ts';
import type { PersonOfEvent } from '../sql/list-rows.ts';
import { queueMessages } from '../sql/messages.ts';
import { toSignup } from '../sql/record-rows.ts';
import { fieldsJson, integer, readChoice, text } from '../sql/row.ts';
import type { Counting } from './analytics/counting.ts';
import type { RunTransaction } from './run-transaction.ts';

/** Statements on `email_signups`; each method is one member of a transaction. */
export interface SignupTable {
  /**
   * Stores the signup and queues its first email, unless the address is stored already and on the list. `signup` is valid and normalised.
   * `confirm` replaces that of `firstSteps`.
   */
  insert(signup: EmailSignup, now: number, confirm?: boolean): SignupResult;
  /** Stores a signup. Returns its person. */
  add(added: NewSignup): PersonOfEvent;
  /** Every signup, oldest first, read while you iterate. */
  all(): Iterable<StoredSignup>;
}

export function signupTable(
  db: DatabaseSync,
  counting: Counting,
  run: RunTransaction,
  firstSteps: FirstSteps,
): SignupTable {
  const insert = db.prepare(`
    INSERT INTO email_signups (email, session_id, source, referrer, submission_id, created_at,
      page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content, fields, state, touch_id, person_id, was_unsubscribed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const find = db.prepare('SELECT id, person_id, submission_id, state FROM email_signups WHERE email = ?');
  const remove = db.prepare('DELETE FROM email_signups WHERE id = ?');
  const all = db.prepare('SELECT * FROM email_signups ORDER BY id');

  function add({ signup, createdAt, state, returning = null, isImported = false }: NewSignup): PersonOfEvent {
    const { email, session_id, source, referrer, submission_id, fields, ...attribution } = signup;
    const person_id = returning ?? newPersonId();
    const { lastInsertRowid } = insert.run(
      email,
      session_id,
      source,
      referrer,
      submission_id,
      createdAt,
      attribution.page_url ?? null,
      attribution.utm_source ?? null,
      attribution.utm_medium ?? null,
      attribution.utm_campaign ?? null,
      attribution.utm_term ?? null,
      attribution.utm_content ?? null,
      fieldsJson(fields),
      state,
      isImported ? null : counting.findSignupSource(signup, createdAt),
      person_id,
      Number(returning !== null),
    );
    return { id: Number(lastInsertRowid), person_id };
  }

  return {
    add,
    insert(signup, now, confirm = firstSteps.confirm) {
      const stored = find.get(signup.email);
      if (stored !== undefined) {
        if (stored.submission_id === signup.submission_id) return 'created';
        if (!maySignUpAgain(readChoice(stored, 'state', PERSON_STATES))) return 'duplicate';
        remove.run(integer(stored, 'id'));
      }
      const returning = stored === undefined ? null : text(stored, 'person_id');
      const { state, message } = firstStep({ ...firstSteps, confirm: needsConfirmation(confirm, returning !== null) });
      const person = add({ signup, createdAt: now, state, returning });
      if (message !== null) run(queueMessages([person.id], message, now));
      run(recordEvents('signup.created', [person], now));
      return 'created';
    },
    *all() {
      for (const row of all.iterate()) yield toSignup(row);
    },
  };
}
