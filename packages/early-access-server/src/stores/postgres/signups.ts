import { ATTRIBUTION_FIELDS, type EmailSignup, type SignupResult, type StoredSignup } from 'early-access-kit/core';
import { toSignupSource } from '../../app/analytics/traffic-source.ts';
import { newPersonId } from '../../app/list/person-id.ts';
import { type FirstSteps, firstStep, maySignUpAgain, needsConfirmation, PERSON_STATES } from '../../app/list/states.ts';
import { recordEvents } from '../sql/events.ts';
import type { NewSignup } from '../sql/list.ts';
import { type PersonOfEvent, toPersonOfEvent } from '../sql/list-rows.ts';
import { queueMessages } from '../sql/messages.ts';
import { toSignup } from '../sql/record-rows.ts';
import { fieldsJson, integer, readChoice, text } from '../sql/row.ts';
import { findSourceIds } from './analytics/traffic-sources.ts';
import type { Transaction } from './connection.ts';
import type { Database } from './database.ts';
import { runTransaction } from './run-transaction.ts';

const COLUMNS = [
  'email',
  'session_id',
  'source',
  'referrer',
  'submission_id',
  'created_at',
  ...ATTRIBUTION_FIELDS,
  'fields',
  'touch_id',
  'state',
  'person_id',
  'was_unsubscribed',
].join(', ');

/** Stores signups of different addresses, and returns their people in the same order. */
export async function insertSignups(tx: Transaction, added: readonly NewSignup[]): Promise<readonly PersonOfEvent[]> {
  if (added.length === 0) return [];
  const sessionIds = added.map(({ signup }) => signup.session_id);
  const sessions = await tx`SELECT id, touch_id FROM early_access.sessions WHERE id = ANY(${sessionIds}::text[])`;
  const sessionSources = new Map<string | null, number>(
    sessions.map((row) => [text(row, 'id'), integer(row, 'touch_id')]),
  );
  const trafficSources = await findSourceIds(
    tx,
    added.flatMap(({ signup, createdAt, isImported }) =>
      isImported || sessionSources.has(signup.session_id)
        ? []
        : [{ trafficSource: toSignupSource(signup), time: createdAt }],
    ),
  );
  const own = trafficSources.values();
  const rows = added.map(({ signup, createdAt, state, returning = null, isImported }) => ({
    ...signup,
    fields: fieldsJson(signup.fields),
    created_at: createdAt,
    state,
    touch_id: isImported ? null : (sessionSources.get(signup.session_id) ?? own.next().value),
    person_id: returning ?? newPersonId(),
    was_unsubscribed: Number(returning !== null),
  }));
  const inserted = await tx`
    INSERT INTO early_access.email_signups (${tx.unsafe(COLUMNS)})
    SELECT ${tx.unsafe(COLUMNS)} FROM jsonb_populate_recordset(NULL::early_access.email_signups, ${tx.json(rows)})
    RETURNING id, email
  `;
  const ids = new Map(inserted.map((row) => [text(row, 'email'), integer(row, 'id')]));
  return rows.map(({ email, person_id }) => ({ id: ids.get(email) ?? 0, person_id }));
}

interface SignupRequest {
  readonly signup: EmailSignup;
  readonly now: number;
  readonly confirm: boolean;
}

interface Addition extends SignupRequest {
  readonly returning: string | null;
}

/** Stores signups unless their address is stored already and on the list, and queues the first email to each. */
export function signUp(firstSteps: FirstSteps) {
  const chooseStep = ({ confirm, returning }: Addition) =>
    firstStep({ ...firstSteps, confirm: needsConfirmation(confirm, returning !== null) });

  return async (tx: Transaction, requests: readonly SignupRequest[]): Promise<readonly SignupResult[]> => {
    const emails = requests.map(({ signup }) => signup.email);
    const stored = await tx`
      SELECT id, person_id, email, submission_id, state FROM early_access.email_signups WHERE email = ANY(${emails}::text[])
    `;
    const submissions = new Map<string, string>();
    /** Those who may sign up again. */
    const left = new Map<string, PersonOfEvent>();
    for (const row of stored) {
      submissions.set(text(row, 'email'), text(row, 'submission_id'));
      if (maySignUpAgain(readChoice(row, 'state', PERSON_STATES))) left.set(text(row, 'email'), toPersonOfEvent(row));
    }
    const added: Addition[] = [];
    const removed: number[] = [];
    const results = requests.map((request): SignupResult => {
      const { email, submission_id } = request.signup;
      const first = submissions.get(email);
      if (first === submission_id) return 'created';
      const returning = left.get(email);
      if (first !== undefined && returning === undefined) return 'duplicate';
      if (returning !== undefined) removed.push(returning.id);
      left.delete(email);
      submissions.set(email, submission_id);
      added.push({ ...request, returning: returning?.person_id ?? null });
      return 'created';
    });
    if (removed.length > 0) await tx`DELETE FROM early_access.email_signups WHERE id = ANY(${removed}::bigint[])`;
    const people = await insertSignups(
      tx,
      added.map((addition) => ({ ...addition, createdAt: addition.now, state: chooseStep(addition).state })),
    );
    const [now = 0] = added.map((request) => request.now);
    for (const kind of ['confirmation', 'welcome'] as const) {
      const recipients = people.flatMap(({ id }, index) => {
        const addition = added[index];
        return addition !== undefined && chooseStep(addition).message === kind ? [id] : [];
      });
      await runTransaction(tx, queueMessages(recipients, kind, now));
    }
    await runTransaction(tx, recordEvents('signup.created', people, now));
    return results;
  };
}

/** Every signup, oldest first, read in pages while you iterate. */
export async function* readSignups(database: Database): AsyncIterable<StoredSignup> {
  const PAGE = 1_000;
  for (let after = 0; ; ) {
    const rows = await database.read(
      (sql) => sql`SELECT * FROM early_access.email_signups WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`,
    );
    for (const row of rows) yield toSignup(row);
    if (rows.length < PAGE) return;
    after = integer(rows.at(-1), 'id');
  }
}
