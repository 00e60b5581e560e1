import {
  type Campaign,
  type CampaignStore,
  type Clock,
  campaignRoom,
  dueUntil,
  inOrder,
  mayRetime,
  mayTime,
  pausedBefore,
  planStep,
  SERIES_STATES,
  type SeriesState,
  type SeriesStep,
  type StepTiming,
  type WaitingPeople,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type Firestore,
  type Query,
} from 'firebase-admin/firestore';
import { countDocuments, type DocumentReader, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, integerOrNull } from '../fields.ts';
import { personRefs, signupIdOfDocument } from '../list/person.ts';
import { campaignMessageRef, newMessageDocument, toSignupId } from '../message-document.ts';
import { matchingSignups } from '../people/queries.ts';
import { readCampaignState, readContent, toFilter } from './content.ts';
import { queryMessages, queryWaiting } from './messages.ts';

/** Maximum number of people per step and transaction: each costs two reads and a write. */
const PAGE = 100;

type Step = SeriesStep<string> & { readonly document: DocumentSnapshot; readonly started_at: number | null };

export function readTiming(campaign: DocumentSnapshot): StepTiming | null {
  const timing: unknown = campaign.get('series');
  if (typeof timing !== 'object' || timing === null) return null;
  const previous: unknown = campaign.get('series.previous');
  return {
    after: SERIES_STATES.find((state) => state === campaign.get('series.after')) ?? null,
    previous: typeof previous === 'string' ? previous : null,
    days: integer(campaign, 'series.days'),
  };
}

/** Returns the fields of a step that is turned on. It only applies to people who reach its trigger from now on. */
export function turnedOn(now: number) {
  return { started_at: now, reached_moment: { at: now, id: null } };
}

/** Returns the series' emails among these documents, in the order in which they were added. */
function readSteps(documents: readonly DocumentSnapshot[]): readonly Step[] {
  const steps = documents.flatMap((document): readonly Step[] => {
    const timing = readTiming(document);
    if (timing === null) return [];
    const at = integerOrNull(document, 'reached_moment.at');
    const id: unknown = document.get('reached_moment.id');
    return [
      {
        id: document.id,
        state: readCampaignState(document),
        timing,
        started_at: integerOrNull(document, 'started_at'),
        reached: at === null ? null : { at, id: typeof id === 'string' ? id : null },
        document,
      },
    ];
  });
  return steps.toSorted((a, b) => integer(a.document, 'number') - integer(b.document, 'number'));
}

function queryRunning(reader: DocumentReader): Query {
  return reader.collection(COLLECTIONS.campaigns).where('state', 'in', ['sending', 'paused']);
}

function queryAll(reader: DocumentReader): Query {
  return reader.collection(COLLECTIONS.campaigns).where('series.days', '>', 0);
}

export function firestoreSeries(
  firestore: Firestore,
  clock: Clock,
  { createDraft, toCampaign }: SeriesDrafts,
): CampaignStore['series'] {
  return {
    async add(timing) {
      const ref = await transact(firestore, async (tx) =>
        mayTime(timing, null, readSteps(await tx.find(queryAll(tx)))) ? createDraft(tx, { ...timing }) : null,
      );
      return ref && toCampaign(await ref.get());
    },
    retime: (id, timing) =>
      transact(firestore, async (tx) => {
        const steps = readSteps(await tx.find(queryAll(tx)));
        const step = steps.find((candidate) => candidate.id === id);
        if (step === undefined || !mayRetime(step, timing, steps)) return false;
        tx.update(step.document.ref, { series: { ...timing } });
        return true;
      }),
    async waiting() {
      const now = clock();
      const steps = readSteps((await queryRunning(firestore).get()).docs);
      const counted = steps.map(async (step): Promise<readonly [string, WaitingPeople]> => {
        const all = await countDocuments(queryMoments(firestore, step));
        const late = await countDocuments(queryDue(firestore, step, now));
        return [step.id, { late, coming: all - late }];
      });
      return new Map(await Promise.all(counted));
    },
  };
}

interface SeriesDrafts {
  createDraft(tx: Transaction, timing: StepTiming): Promise<DocumentReference>;
  toCampaign(document: DocumentSnapshot): Promise<Campaign>;
}

/**
 * Queues the series' emails that are due. `running`: campaigns that are sending or paused. A step without due people
 * costs one read. Returns the number of people processed.
 */
export async function feedSeries(firestore: Firestore, running: readonly DocumentSnapshot[], clock: Clock) {
  let fed = 0;
  for (const step of inOrder(readSteps(running)).filter(({ state }) => state === 'sending')) {
    const due = await queryDue(firestore, step, clock()).limit(1).get();
    if (!due.empty) fed += await transact(firestore, (tx) => feedStep(tx, step.id, clock()));
  }
  return fed;
}

const FIELDS: Readonly<Record<SeriesState, string>> = {
  subscribed: 'subscribed_at',
  invited: 'invited_at',
  joined: 'joined_at',
};

function momentField({ after }: StepTiming): string {
  return after === null ? 'changed_at' : FIELDS[after];
}

/** Queries a step's unprocessed trigger times in order, using an index. `until`: only those that are due by then. */
function queryMoments(reader: DocumentReader, { timing, reached }: Step, until: number | null = null): Query {
  const field = momentField(timing);
  const all =
    timing.previous === null ? reader.collection(COLLECTIONS.signups) : queryMessages(reader, timing.previous, 'sent');
  const due = until === null ? all : all.where(field, '<=', until);
  const id = reached?.id ?? null;
  const since = id === null ? due.where(field, '>', reached?.at ?? Number.MAX_SAFE_INTEGER) : due;
  const ordered = since.orderBy(field).orderBy(FieldPath.documentId());
  return id === null ? ordered : ordered.startAfter(reached?.at, id);
}

function queryDue(reader: DocumentReader, step: Step, now: number): Query {
  return queryMoments(reader, step, dueUntil(step.timing, now));
}

/** Queues a step's messages to the next people, and stores its progress, in one transaction. */
async function feedStep(tx: Transaction, id: string, now: number): Promise<number> {
  const steps = readSteps(await tx.find(queryRunning(tx)));
  const step = steps.find((candidate) => candidate.id === id);
  if (step === undefined || step.state !== 'sending') return 0;
  const [queued, waiting] = [await tx.count(queryMessages(tx, id, 'queued')), await tx.count(queryWaiting(tx, id))];
  const room = campaignRoom({ queued, waiting });
  if (room === 0) return 0;
  const moments = await tx.find(queryDue(tx, step, now).limit(Math.min(room, PAGE)));
  const people = await readPeople(tx, step, steps, moments, now);
  const plan = planStep(step, steps, people, now);
  if (plan.reached === null) return 0;
  // Emails that become due at the same time are sent in the order of the series.
  const following = inOrder(steps).toReversed().indexOf(step);
  for (const { signupId } of plan.queued) {
    const message = newMessageDocument({ kind: 'campaign', signup_id: signupId, campaign_id: id }, now);
    tx.create(campaignMessageRef(tx, signupId, id), { ...message, next_attempt_at: now - following });
  }
  tx.update(step.document.ref, {
    reached_moment: { at: plan.reached.at, id: plan.reached.id },
    reached: FieldValue.increment(plan.queued.length),
  });
  return plan.looked;
}

/** Reads the people of these trigger times, with everything that `planStep` needs. */
async function readPeople(
  tx: Transaction,
  step: Step,
  steps: readonly Step[],
  moments: readonly DocumentSnapshot[],
  now: number,
) {
  const ids = moments.map((moment) =>
    step.timing.previous === null ? signupIdOfDocument(moment.id) : (toSignupId(moment.id) ?? ''),
  );
  const signups =
    step.timing.previous === null ? moments : await tx.getAll(...ids.map((id) => personRefs(tx, id).signup));
  const own = await tx.getAll(...ids.map((id) => campaignMessageRef(tx, id, step.id)));
  const held = new Set<string>();
  for (const paused of pausedBefore(step, steps)) {
    const messages = await tx.getAll(...ids.map((id) => campaignMessageRef(tx, id, paused)));
    for (const [index, message] of messages.entries()) {
      if (message.get('state') === 'queued') held.add(ids[index] ?? '');
    }
  }
  const filter = toFilter(readContent(step.document).audience, now);
  const stored = signups.filter(({ exists }) => exists);
  const found = await matchingSignups(
    tx,
    stored.filter((signup) => matchesIndexed(signup, filter)),
    filter,
  );
  const audience = new Set(found.map((signup) => signup.id));
  return moments.map((moment, index) => ({
    signupId: ids[index] ?? '',
    moment: { at: integer(moment, momentField(step.timing)), id: moment.id },
    isInAudience: audience.has(signups[index]?.id ?? ''),
    hasMessage: own[index]?.exists === true,
    isHeld: held.has(ids[index] ?? ''),
  }));
}

/** Applies the filter's indexed conditions to a document that a different query has found. */
function matchesIndexed(signup: DocumentSnapshot, { states, sources, imports }: ReturnType<typeof toFilter>): boolean {
  const isOneOf = (field: string, values: readonly string[] | null) =>
    values === null || values.includes(String(signup.get(field)));
  return isOneOf('state', states) && isOneOf('source', sources) && isOneOf('import_id', imports);
}
