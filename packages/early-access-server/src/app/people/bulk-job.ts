import { randomUUID } from 'node:crypto';
import { MINUTE_MS, normalizeEmail } from 'early-access-kit/internal';
import { createTimeLimit, type JobContext, type RepeatedJob, repeatedJob } from '../jobs/jobs.ts';
import { nextState } from '../lifecycle/states.ts';
import type { Store } from '../ports/store.ts';
import {
  advanceBulk,
  type BulkAction,
  type BulkOutcome,
  type BulkRecord,
  claimBulk,
  collectPeople,
  isEnded,
  releaseBulk,
} from './bulk.ts';
import { forgetPerson, type MailCopies } from './forget.ts';
import { MAX_BULK, MAX_PAGE, type PersonRecord } from './people.ts';

/** How often to check whether another process has started an action. */
const LOOK_MS = 30_000;
/** The longest time per cron round, which has other work to do. */
const ROUND_MS = 4 * MINUTE_MS;

/**
 * People per step. A crash repeats the current step. An invite wave contains everyone at once. Erasing searches the
 * files for traces of ten people at a time.
 */
const STEP: Readonly<Record<BulkAction, number>> = { invite: MAX_BULK, unsubscribe: 20, label: 20, forget: 10 };

export type BulkContext = Pick<JobContext, 'store' | 'clock' | 'wakeMail'> & { readonly copies: MailCopies | null };

/** Processes bulk actions. Only one process works on them at a time. */
export function bulkJob({ log, ...context }: BulkContext & Pick<JobContext, 'log'>): RepeatedJob {
  const { clock } = context;
  return repeatedJob({
    everyMs: LOOK_MS,
    log,
    failure: 'bulk-failed',
    run(mayBegin) {
      const isMyTurn = createTimeLimit(ROUND_MS, clock);
      return runBulk(context, () => mayBegin() && isMyTurn());
    },
  });
}

/** Works on the running action, unless another process does, until it is complete or `mayBegin` returns false. */
export async function runBulk(context: BulkContext, mayBegin: () => boolean): Promise<void> {
  const { store, clock } = context;
  const token = randomUUID();
  const [newest] = await store.bulk.list(1);
  // Most calls find nothing to do and need no transaction.
  if (newest === undefined || isEnded(newest)) return;
  let record = await store.bulk.update((stored) => claimBulk(stored, token, clock()));
  try {
    while (record !== null && mayBegin()) {
      record = record.filter === null ? await act(context, record, token) : await collect(context, record, token);
    }
  } finally {
    await store.bulk.update((stored) => releaseBulk(stored, token));
  }
}

/** Stores the ids of the next page of people, so that later changes to the list do not add anyone. */
async function collect({ store, clock }: BulkContext, record: BulkRecord, token: string): Promise<BulkRecord | null> {
  if (record.filter === null) return record;
  const page = await store.people.list({ ...record.filter, sort: 'oldest', limit: MAX_PAGE, after: record.after });
  const ids = page.people.map(({ id }) => id);
  return store.bulk.update((stored) => collectPeople(stored, { token, ids, after: page.next, now: clock() }));
}

/** The result of a step, and the wave of an inviting action. */
interface Step {
  readonly outcomes: readonly BulkOutcome[];
  readonly wave: string | null;
}

/** Processes the next people, each at most once. Returns the action, or null if its work has ended. */
async function act(context: BulkContext, record: BulkRecord, token: string): Promise<BulkRecord | null> {
  const { store, clock } = context;
  const ids = await store.bulk.part(record.number, record.part);
  const some = ids.slice(record.place, record.place + STEP[record.action]);
  const step =
    record.action === 'invite' ? await invite(context, record, some) : await actOnEach(context, record, some);
  const isPartEnd = record.place + some.length >= ids.length;
  const next = await store.bulk.update((stored) => advanceBulk(stored, { ...step, token, isPartEnd, now: clock() }));
  if (next === null || !isEnded(next)) return next;
  await addEntry(store, next);
  return null;
}

async function actOnEach(context: BulkContext, record: BulkRecord, ids: readonly string[]): Promise<Step> {
  const outcomes: BulkOutcome[] = [];
  if (record.action === 'forget') outcomes.push(...(await Promise.all(ids.map((id) => actOn(context, record, id)))));
  else for (const id of ids) outcomes.push(await actOn(context, record, id));
  return { outcomes, wave: null };
}

async function actOn({ store, copies }: BulkContext, record: BulkRecord, id: string): Promise<BulkOutcome> {
  const person = await store.people.find(id);
  if (person === null) return record.action === 'forget' ? 'done' : 'unchanged';
  if (wasProcessed(person, record)) return 'done';
  const email = normalizeEmail(person.email);
  if (record.action === 'label') {
    const result = await store.list.changeLabels(email, record.labels ?? { add: [], remove: [] });
    return result === 'changed' ? 'done' : 'unchanged';
  }
  if (record.action === 'unsubscribe') {
    if (nextState(person.state, 'unsubscribe', person.bounced_from) === null) return 'unchanged';
    await store.list.changePerson(email, 'unsubscribe', 'admin');
    return 'done';
  }
  const forgotten = await forgetPerson({ store, email, copies, evenWhileSending: false });
  if (forgotten === null) return 'left';
  return forgotten.traceless ? 'done' : 'traces';
}

/** Invites those who are waiting, in the action's wave. The first invitation starts the wave. */
async function invite({ store, wakeMail }: BulkContext, record: BulkRecord, ids: readonly string[]): Promise<Step> {
  const outcomes: BulkOutcome[] = [];
  const waiting: string[] = [];
  for (const id of ids) {
    const person = await store.people.find(id);
    const isNew = person?.state === 'subscribed' && !wasProcessed(person, record);
    if (isNew) waiting.push(id);
    outcomes.push(isNew || (person !== null && wasProcessed(person, record)) ? 'done' : 'unchanged');
  }
  if (waiting.length === 0) return { outcomes, wave: record.wave };
  for (;;) {
    const [newest] = await store.list.waves(1);
    const wave = await store.list.invite({
      after: newest?.id ?? null,
      who: { ids: waiting },
      ...(record.wave !== null && { into: record.wave }),
    });
    // Another wave was started in the meantime.
    if (wave === 'outdated') continue;
    wakeMail();
    return { outcomes, wave: wave === 'nobody' ? record.wave : wave.id };
  }
}

/** Returns whether an earlier attempt processed the person. They are not processed again, whatever happened since. */
function wasProcessed({ timeline }: PersonRecord, { action, started_at }: BulkRecord): boolean {
  return timeline.some(({ event, by, at }) => event === action && by === 'admin' && at >= started_at);
}

/** Adds the same audit entry as an action on selected people, with the number of people. */
async function addEntry({ admin }: Pick<Store, 'admin'>, { action, author, done, traces }: BulkRecord): Promise<void> {
  await admin.addAudit({ ...author, action, count: done + traces });
}
