import type { DatabaseSync } from 'node:sqlite';
import type { EmailSignup, SignupResult, StoredSignup } from 'early-access-kit/core';
import {
  type FirstSteps,
  firstStep,
  maySignUpAgain,
  needsConfirmation,
  PERSON_STATES,
  signupResult,
} from '../../app/list/states.ts';
import type { SignupOptions } from '../../app/ports/store.ts';
import { recordEvents } from '../sql/events.ts';
import type { PersonOfEvent } from '../sql/list-rows.ts';
import { queueMessages } from '../sql/messages.ts';
import {
  keepOptOut,
  type NewSignup,
  OPT_OUT_COLUMNS,
  SIGNUP_COLUMNS,
  toSignup,
  toSignupRow,
} from '../sql/record-rows.ts';
import { integer, readChoice } from '../sql/row.ts';
import type { Counting } from './analytics/counting.ts';
import { prepareInsert } from './insert.ts';
import type { RunTransaction } from './run-transaction.ts';

/** Statements on `email_signups`; each method is one member of a transaction. */
export function signupTable(db: DatabaseSync, counting: Counting, run: RunTransaction, firstSteps: FirstSteps) {
  const insert = prepareInsert(db, 'email_signups', SIGNUP_COLUMNS);
  const find = db.prepare(`SELECT id, submission_id, state, ${OPT_OUT_COLUMNS} FROM email_signups WHERE email = ?`);
  const remove = db.prepare('DELETE FROM email_signups WHERE id = ?');
  const all = db.prepare('SELECT * FROM email_signups ORDER BY id');

  /** Stores a signup. Returns its person. */
  function add(added: NewSignup): PersonOfEvent {
    const source = added.isImported ? null : counting.findSignupSource(added.signup, added.createdAt);
    const row = toSignupRow(added, source);
    return { id: insert(row), person_id: row.person_id };
  }

  return {
    add,
    /**
     * Stores the signup and queues its first email, unless the address is stored already and on the list. `signup` is valid and normalised.
     * `confirm` replaces that of `firstSteps`.
     */
    insert(
      signup: EmailSignup,
      now: number,
      { confirm = firstSteps.confirm, language }: SignupOptions = {},
    ): SignupResult {
      const stored = find.get(signup.email);
      if (stored !== undefined) {
        const state = readChoice(stored, 'state', PERSON_STATES);
        if (stored.submission_id === signup.submission_id) return signupResult(state);
        if (!maySignUpAgain(state)) return 'duplicate';
        remove.run(integer(stored, 'id'));
      }
      const { state, message } = firstStep({
        ...firstSteps,
        confirm: needsConfirmation(confirm, stored !== undefined),
      });
      const person = add({ signup, createdAt: now, state, language, ...(stored && keepOptOut(stored)) });
      if (message !== null) run(queueMessages([person.id], message, now));
      run(recordEvents('signup.created', [person], now));
      return signupResult(state);
    },
    /** Every signup, oldest first, read while you iterate. */
    *all(): Iterable<StoredSignup> {
      for (const row of all.iterate()) yield toSignup(row);
    },
  };
}
