import type { EmailSignup, SignupResult, StoredSignup } from 'early-access-kit/core';
import { toSignupSource } from '../../app/analytics/traffic-source.ts';
import {
  type FirstSteps,
  firstStep,
  maySignUpAgain,
  needsConfirmation,
  PERSON_STATES,
  signupResult,
} from '../../app/list/states.ts';
import { recordEvents, SELECT_ENDPOINTS } from '../sql/events.ts';
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
import { integer, type Row, readChoice, text } from '../sql/row.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { list, type Rows, raw, runTogether, type Statement, sql, type Transaction } from '../sql/statement.ts';
import { findSourceIds } from './analytics/traffic-sources.ts';

const COLUMNS = raw(SIGNUP_COLUMNS);

function selectSessions(signups: readonly EmailSignup[]): Statement {
  const ids = signups.flatMap(({ session_id }) => session_id ?? []);
  return sql`SELECT id, touch_id FROM @sessions WHERE id IN (${list(ids)})`;
}

/**
 * Stores signups of different addresses, and returns their people in the same order. `sessionRows`: the result of `selectSessions`, if the
 * caller has it.
 */
export function* insertSignups(added: readonly NewSignup[], sessionRows?: Rows): Transaction<readonly PersonOfEvent[]> {
  if (added.length === 0) return [];
  const sessions = sessionRows ?? (yield* selectSessions(added.map(({ signup }) => signup)));
  const sessionSources = new Map<string | null, number>(
    sessions.map((row) => [text(row, 'id'), integer(row, 'touch_id')]),
  );
  const trafficSources = yield* findSourceIds(
    added.flatMap(({ signup, createdAt, isImported }) =>
      isImported || sessionSources.has(signup.session_id)
        ? []
        : [{ trafficSource: toSignupSource(signup), time: createdAt }],
    ),
  );
  const own = trafficSources.values();
  const rows = added.map((one) =>
    toSignupRow(one, one.isImported ? null : (sessionSources.get(one.signup.session_id) ?? own.next().value ?? 0)),
  );
  const inserted = yield* sql`
    INSERT INTO @email_signups (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_populate_recordset(NULL::@email_signups, ${JSON.stringify(rows)})
    RETURNING id, email
  `;
  const ids = new Map(inserted.map((row) => [text(row, 'email'), integer(row, 'id')]));
  return rows.map(({ email, person_id }) => ({ id: ids.get(email) ?? 0, person_id }));
}

interface SignupRequest {
  readonly signup: EmailSignup;
  readonly now: number;
  readonly confirm: boolean;
  readonly language: string | null;
}

interface Addition extends SignupRequest {
  readonly returning: Row | undefined;
}

/** Stores signups unless their address is stored already and on the list, and queues the first email to each. */
export function signUp(firstSteps: FirstSteps) {
  const chooseStep = ({ confirm, returning }: Addition) =>
    firstStep({ ...firstSteps, confirm: needsConfirmation(confirm, returning !== undefined) });

  return function* (requests: readonly SignupRequest[]): Transaction<readonly SignupResult[]> {
    const emails = requests.map(({ signup }) => signup.email);
    const [stored = [], sessions, endpoints] = yield* runTogether([
      sql`
        SELECT id, email, submission_id, state, ${raw(OPT_OUT_COLUMNS)} FROM @email_signups WHERE email IN (${list(emails)})
      `,
      selectSessions(requests.map(({ signup }) => signup)),
      SELECT_ENDPOINTS,
    ]);
    const submissions = new Map<string, { readonly id: string; readonly result: SignupResult }>();
    /** Those who may sign up again. */
    const left = new Map<string, Row>();
    for (const row of stored) {
      const state = readChoice(row, 'state', PERSON_STATES);
      submissions.set(text(row, 'email'), { id: text(row, 'submission_id'), result: signupResult(state) });
      if (maySignUpAgain(state)) left.set(text(row, 'email'), row);
    }
    const added: Addition[] = [];
    const removed: number[] = [];
    const results = requests.map((request): SignupResult => {
      const { email, submission_id } = request.signup;
      const first = submissions.get(email);
      if (first?.id === submission_id) return first.result;
      const returning = left.get(email);
      if (first !== undefined && returning === undefined) return 'duplicate';
      if (returning !== undefined) removed.push(integer(returning, 'id'));
      left.delete(email);
      const addition = { ...request, returning };
      const result = signupResult(chooseStep(addition).state);
      submissions.set(email, { id: submission_id, result });
      added.push(addition);
      return result;
    });
    if (removed.length > 0) yield* sql`DELETE FROM @email_signups WHERE id IN (${list(removed)})`;
    const people = yield* insertSignups(
      added.map((addition) => ({
        signup: addition.signup,
        createdAt: addition.now,
        state: chooseStep(addition).state,
        language: addition.language,
        ...(addition.returning && keepOptOut(addition.returning)),
      })),
      sessions,
    );
    const [now = 0] = added.map((request) => request.now);
    for (const kind of ['confirmation', 'welcome'] as const) {
      const recipients = people.flatMap(({ id }, index) => {
        const addition = added[index];
        return addition !== undefined && chooseStep(addition).message === kind ? [id] : [];
      });
      yield* queueMessages(recipients, kind, now);
    }
    yield* recordEvents('signup.created', people, now, endpoints);
    return results;
  };
}

/** Every signup, oldest first, read in pages while you iterate. */
export async function* readSignups({ query }: SqlDatabase): AsyncIterable<StoredSignup> {
  const PAGE = 1_000;
  for (let after = 0; ; ) {
    const rows = await query(sql`SELECT * FROM @email_signups WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`);
    for (const row of rows) yield toSignup(row);
    if (rows.length < PAGE) return;
    after = integer(rows.at(-1), 'id');
  }
}
