import type { DatabaseSync } from 'node:sqlite';
import type { EmailSignup, SignupResult, StoredSignup } from 'early-access-kit/internal';
import { enteredSignup } from '../../app/lifecycle/opt-out.ts';
import {
  type FirstSteps,
  firstStep,
  maySignUpAgain,
  needsConfirmation,
  PERSON_STATES,
  signupResult,
} from '../../app/lifecycle/states.ts';
import type { SignupOptions } from '../../app/ports/store.ts';
import type { ListClosed } from '../../app/signup/list-status.ts';
import { recordEvents } from '../sql/events.ts';
import { type PersonOfEvent, toPersonOfEvent } from '../sql/list-rows.ts';
import { keepRequests, openPlaces, SELECT_LIST_STATUS } from '../sql/list-status.ts';
import { findOptOuts, selectOptOuts, signUpAgain } from '../sql/mailboxes.ts';
import { queueMessages } from '../sql/messages.ts';
import { type NewSignup, SIGNUP_COLUMNS, toEntered, toSignup, toSignupRow } from '../sql/record-rows.ts';
import { readChoice } from '../sql/row.ts';
import type { Transaction } from '../sql/statement.ts';
import type { Counting } from './analytics/counting.ts';
import { prepareInsert } from './insert.ts';
import type { RunTransaction } from './run-transaction.ts';

/** Operations on `email_signups`. Each method must run inside a transaction. */
export function signupTable(db: DatabaseSync, counting: Counting, run: RunTransaction, firstSteps: FirstSteps) {
  const insert = prepareInsert(db, 'email_signups', SIGNUP_COLUMNS);
  const find = db.prepare('SELECT * FROM email_signups WHERE email = ?');
  const all = db.prepare('SELECT * FROM email_signups ORDER BY id');

  function add(added: NewSignup): PersonOfEvent {
    const source = added.isImported ? null : counting.findSignupSource(added.signup, added.createdAt);
    const row = toSignupRow(added, source);
    return { id: insert(row), person_id: row.person_id };
  }

  return {
    add,
    /**
     * Stores the signup and queues its first email, unless the address is already on the list, or the list is closed.
     * `signup` is valid and normalized. `confirm` overrides that of `firstSteps`.
     */
    insert(
      signup: EmailSignup,
      now: number,
      { confirm = firstSteps.confirm, language = null, network = null }: SignupOptions = {},
    ): SignupResult | ListClosed {
      const stored = find.get(signup.email);
      if (stored !== undefined) {
        const state = readChoice(stored, 'state', PERSON_STATES);
        const submissions = [stored.submission_id, toEntered(stored)?.submission_id];
        if (submissions.includes(signup.submission_id)) return signupResult(state, confirm);
        if (!maySignUpAgain(state)) return 'duplicate';
      }
      const closed = run(findClosedNow(now));
      if (closed !== null) {
        if (closed.takes_requests) run(keepRequests([{ signup, language, network }], now));
        return closed;
      }
      if (stored !== undefined) {
        run(signUpAgain(stored, enteredSignup(signup, language), now));
        run(recordEvents('signup.created', [toPersonOfEvent(stored)], now));
        return signupResult('pending', confirm);
      }
      const isOptedOut = findOptOuts(run(selectOptOuts([signup.email]))).size > 0;
      const { state, message } = firstStep({ ...firstSteps, confirm: needsConfirmation(confirm, isOptedOut) });
      const person = add({ signup, createdAt: now, state, language, network });
      if (message !== null) run(queueMessages([person.id], message, now));
      run(recordEvents('signup.created', [person], now));
      return signupResult(state, confirm);
    },
    /** Every signup, oldest first, read during iteration. */
    *all(): Iterable<StoredSignup> {
      for (const row of all.iterate()) yield toSignup(row);
    },
  };
}

function* findClosedNow(now: number): Transaction<ListClosed | null> {
  const [row] = yield* SELECT_LIST_STATUS;
  return (yield* openPlaces(row, now))();
}
