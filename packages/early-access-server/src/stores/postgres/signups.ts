import type { EmailSignup, SignupResult, StoredSignup } from 'early-access-kit/internal';
import { toSignupSource } from '../../app/analytics/traffic-source.ts';
import { normalizeMailbox } from '../../app/lifecycle/mailbox.ts';
import { enteredSignup } from '../../app/lifecycle/opt-out.ts';
import {
  type FirstSteps,
  firstStep,
  maySignUpAgain,
  needsConfirmation,
  PERSON_STATES,
  type PersonState,
  signupResult,
} from '../../app/lifecycle/states.ts';
import type { ListClosed, OpeningRequest } from '../../app/signup/list-status.ts';
import { recordEvents, SELECT_ENDPOINTS } from '../sql/events.ts';
import { type PersonOfEvent, toPersonOfEvent } from '../sql/list-rows.ts';
import { keepRequests, openPlaces, SELECT_LIST_STATUS } from '../sql/list-status.ts';
import { findOptOuts, selectOptOuts, signUpAgain } from '../sql/mailboxes.ts';
import { queueMessages } from '../sql/messages.ts';
import { type NewSignup, SIGNUP_COLUMNS, toEntered, toSignup, toSignupRow } from '../sql/record-rows.ts';
import { integer, type Row, readChoice, text } from '../sql/row.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { list, type Rows, raw, runTogether, type Statement, sql, type Transaction } from '../sql/statement.ts';
import { findSourceIds } from './analytics/traffic-sources.ts';

const COLUMNS = raw(SIGNUP_COLUMNS);

function selectSessions(signups: readonly EmailSignup[]): Statement {
  const ids = signups.flatMap(({ session_id }) => session_id ?? []);
  return sql`SELECT id, traffic_source_id FROM @sessions WHERE id IN (${list(ids)})`;
}

/**
 * Stores signups with distinct addresses, and returns their people in the same order. `sessionRows` is the result of
 * `selectSessions`, if it has already been read.
 */
export function* insertSignups(added: readonly NewSignup[], sessionRows?: Rows): Transaction<readonly PersonOfEvent[]> {
  if (added.length === 0) return [];
  const sessions = sessionRows ?? (yield* selectSessions(added.map(({ signup }) => signup)));
  const sessionSources = new Map<string | null, number>(
    sessions.map((row) => [text(row, 'id'), integer(row, 'traffic_source_id')]),
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

interface SignupRequest extends OpeningRequest {
  readonly now: number;
  readonly confirm: boolean;
}

/** Stores signups and queues their first emails, unless their address is on the list already, or the list is closed. */
export function signUp(firstSteps: FirstSteps) {
  return function* (requests: readonly SignupRequest[]): Transaction<readonly (SignupResult | ListClosed)[]> {
    const emails = requests.map(({ signup }) => signup.email);
    const [stored = [], optOuts, sessions, endpoints, statuses = []] = yield* runTogether([
      sql`SELECT * FROM @email_signups WHERE email IN (${list(emails)})`,
      selectOptOuts(emails),
      selectSessions(requests.map(({ signup }) => signup)),
      SELECT_ENDPOINTS,
      SELECT_LIST_STATUS,
    ]);
    const optedOut = findOptOuts(optOuts);
    const [now = 0] = requests.map((request) => request.now);
    const takePlace = yield* openPlaces(statuses[0], now);
    /** The signups stored for each address so far. */
    const submissions = new Map<string, { readonly ids: readonly unknown[]; readonly state: PersonState }>();
    /** The rows of people who may sign up again. */
    const left = new Map<string, Row>();
    for (const row of stored) {
      const state = readChoice(row, 'state', PERSON_STATES);
      submissions.set(text(row, 'email'), { ids: [row.submission_id, toEntered(row)?.submission_id], state });
      if (maySignUpAgain(state)) left.set(text(row, 'email'), row);
    }
    const added: SignupRequest[] = [];
    const kept: OpeningRequest[] = [];
    const returning: { readonly row: Row; readonly request: SignupRequest }[] = [];
    const results = requests.map((request): SignupResult | ListClosed => {
      const { email, submission_id } = request.signup;
      const known = submissions.get(email);
      if (known?.ids.includes(submission_id)) return signupResult(known.state, request.confirm);
      const row = left.get(email);
      if (known !== undefined && row === undefined) return 'duplicate';
      const closed = takePlace();
      if (closed !== null) {
        const { signup, language, network } = request;
        if (closed.takes_requests) kept.push({ signup, language, network });
        return closed;
      }
      left.delete(email);
      submissions.set(email, { ids: [...(known?.ids ?? []), submission_id], state: 'pending' });
      if (row === undefined) added.push(request);
      else returning.push({ row, request });
      return signupResult('pending', request.confirm);
    });
    if (kept.length > 0) yield* keepRequests(kept, now);
    const steps = added.map(({ signup, confirm }) =>
      firstStep({ ...firstSteps, confirm: needsConfirmation(confirm, optedOut.has(normalizeMailbox(signup.email))) }),
    );
    const people = yield* insertSignups(
      added.map(({ signup, now: createdAt, language, network }, index) => ({
        signup,
        createdAt,
        state: steps[index]?.state ?? 'pending',
        language,
        network,
      })),
      sessions,
    );
    for (const kind of ['confirmation', 'welcome'] as const) {
      const recipients = people.flatMap(({ id }, index) => (steps[index]?.message === kind ? [id] : []));
      yield* queueMessages(recipients, kind, now);
    }
    for (const { row, request } of returning) {
      yield* signUpAgain(row, enteredSignup(request.signup, request.language), now);
    }
    const events = [...people, ...returning.map(({ row }) => toPersonOfEvent(row))];
    yield* recordEvents('signup.created', events, now, endpoints);
    return results;
  };
}

/** Every signup, oldest first, read in pages during iteration. */
export async function* readSignups({ query }: SqlDatabase): AsyncIterable<StoredSignup> {
  const PAGE = 1_000;
  for (let after = 0; ; ) {
    const rows = await query(sql`SELECT * FROM @email_signups WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`);
    for (const row of rows) yield toSignup(row);
    if (rows.length < PAGE) return;
    after = integer(rows.at(-1), 'id');
  }
}
