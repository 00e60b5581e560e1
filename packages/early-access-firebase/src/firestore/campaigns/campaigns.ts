import { randomUUID } from 'node:crypto';
import { isId } from 'early-access-kit/internal';
import {
  type Audience,
  afterStop,
  type Campaign,
  type CampaignContent,
  type CampaignStore,
  type Clock,
  campaignRoom,
  FOLLOWED_UP,
  findStart,
  lastInvitation,
  mayBecome,
  mayBeFollowed,
  mayEdit,
  maySchedule,
  NEW_DRAFT,
  SERIES_STATES,
  scheduleStart,
} from 'early-access-server/internal';
import {
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Query,
  Timestamp,
} from 'firebase-admin/firestore';
import {
  changeAll,
  countDocuments,
  type DocumentReader,
  nextNumber,
  readAtOnce,
  type Transaction,
  transact,
  withStorageErrors,
} from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, integerOrNull, textOrNull, timestamp } from '../fields.ts';
import { signupIdOfDocument, storedState } from '../list/person.ts';
import { campaignMessageRef, newMessageDocument, queueNotices } from '../message-document.ts';
import {
  countMatching,
  filtered,
  type IndexedFilter,
  inOrder,
  MAX_COUNTED,
  matchingSignups,
} from '../people/queries.ts';
import { readCampaignState, readContent, toFilter } from './content.ts';
import { queryMessages, queryWaiting } from './messages.ts';
import { readResults } from './results.ts';
import { feedSeries, firestoreSeries, readTiming, turnedOn } from './series.ts';

/** `campaigns/{id}`. Messages are queued in the order of signups, up to `position`. `is_fed`: no one remains. */
export function firestoreCampaigns(firestore: Firestore, clock: Clock): CampaignStore {
  const campaigns = firestore.collection(COLLECTIONS.campaigns);

  async function find(id: string): Promise<DocumentSnapshot | null> {
    const document = isId(id) ? await campaigns.doc(id).get() : null;
    return document?.exists ? document : null;
  }

  /**
   * Runs `change` on a campaign in a transaction. Returns false if the campaign does not exist, or if `change` does.
   */
  async function changeOne(
    id: string,
    change: (tx: Transaction, document: DocumentSnapshot) => boolean | Promise<boolean>,
  ) {
    if (!isId(id)) return false;
    return transact(firestore, async (tx) => {
      const document = await tx.get(campaigns.doc(id));
      return document.exists && change(tx, document);
    });
  }

  /** Starts a scheduled campaign that is due, unless it has changed since it was read. */
  async function startOne(scheduled: DocumentSnapshot): Promise<boolean> {
    const campaign = readCampaign(scheduled);
    const first = campaign.follows === null ? null : await find(campaign.follows);
    const now = clock();
    const due = findStart(campaign, first === null ? [] : [readCampaign(first)]);
    if (due === null || due > now) return false;
    const started = { ...(await startedFields(scheduled, now)), state: 'sending', scheduled_at: due };
    return changeOne(scheduled.id, (tx, { ref, updateTime }) => {
      const isSame = scheduled.updateTime !== undefined && updateTime?.isEqual(scheduled.updateTime) === true;
      if (isSame) tx.update(ref, started);
      return isSame;
    });
  }

  return withStorageErrors({
    series: withStorageErrors(
      firestoreSeries(firestore, clock, {
        createDraft: (tx, series) => createDraft(tx, { ...toFields(NEW_STEP), revision: '', series }, clock()),
        toCampaign,
      }),
    ),
    async list() {
      const { docs } = await campaigns.orderBy('number', 'desc').get();
      return Promise.all(docs.map(toCampaign));
    },
    async find(id) {
      const document = await find(id);
      return document && toCampaign(document);
    },
    audienceSize: (audience, newest) => countAudience(firestore, audience, clock(), newest),
    async create(content, { revision, replaces } = NEW_DRAFT) {
      const ref = await transact(firestore, async (tx) => {
        const draft = await findDraft(tx, [revision, ...replaces]);
        const written = { ...toFields(content), revision };
        if (draft !== undefined) {
          tx.update(draft.ref, written);
          return draft.ref;
        }
        return createDraft(tx, written, clock());
      });
      return toCampaign(await ref.get());
    },
    save: (id, content, { revision, replaces }) =>
      changeOne(id, (tx, document) => {
        const isOther = replaces !== undefined && !replaces.includes(readRevision(document));
        if (!mayEdit(readCampaign(document)) || isOther) return false;
        tx.update(document.ref, { ...toFields(content), revision });
        return true;
      }),
    remove: (id) =>
      changeOne(id, async (tx, document) => {
        const next = await tx.find(campaigns.where('series.previous', '==', id).limit(1));
        const isUnused = readCampaignState(document) === 'draft' && next.length === 0;
        if (isUnused) tx.delete(document.ref);
        return isUnused;
      }),
    async change(id, to, revision) {
      const campaign = await find(id);
      if (campaign === null) return false;
      const isNew = to === 'sending' && readCampaign(campaign).started_at === null;
      const started = isNew ? await startedFields(campaign, clock()) : {};
      const isChanged = await changeOne(id, (tx, document) => {
        const stored = readCampaign(document);
        if (!mayBecome(stored, to, revision)) return false;
        tx.update(document.ref, {
          state: to,
          ...(stored.started_at === null && started),
          ...(to === 'draft' && { scheduled_at: null, time_zone: null }),
          ...(to === 'cancelled' && { ended_at: clock() }),
          ...afterStop(stored, to, clock()),
        });
        return true;
      });
      if (isChanged && to === 'cancelled') {
        await changeAll(queryMessages(firestore, id, 'queued'), (tx, { ref }) => tx.delete(ref));
      }
      return isChanged;
    },
    stop: (recipients, notice) =>
      transact(firestore, async (tx) => {
        const now = clock();
        const sending = await tx.find(campaigns.where('state', '==', 'sending'));
        for (const { ref } of sending) tx.update(ref, { state: 'paused', stopped_at: now });
        if (sending.length > 0) queueNotices(tx, recipients, notice, now);
        return sending.length;
      }),
    async feed() {
      const { docs: running } = await campaigns.where('state', 'in', ['sending', 'paused']).get();
      let fed = await feedSeries(firestore, running, clock);
      for (const campaign of running) {
        if (readCampaignState(campaign) !== 'sending' || readTiming(campaign) !== null) continue;
        // Most calls find nothing to do and then need no transaction.
        const waiting = await countDocuments(queryWaiting(firestore, campaign.id));
        const isFull = campaignRoom({ queued: waiting, waiting }) === 0;
        if (campaign.get('is_fed') === true ? waiting === 0 : !isFull) {
          fed += await transact(firestore, (tx) => feedOne(tx, campaign.ref, clock()));
        }
      }
      return fed;
    },
    schedule: withStorageErrors({
      set: (id, time, revision) =>
        changeOne(id, async (tx, document) => {
          const campaign = readCampaign(document);
          if (!maySchedule(campaign, time, revision)) return false;
          const first = campaign.follows === null ? null : await tx.get(campaigns.doc(campaign.follows));
          const at = scheduleStart(campaign, time, first && readCampaign(first), clock());
          tx.update(document.ref, { state: 'scheduled', scheduled_at: at, time_zone: time?.zone ?? null });
          return true;
        }),
      async startDue() {
        const started: Campaign[] = [];
        for (const document of (await campaigns.where('state', '==', 'scheduled').get()).docs) {
          if (await startOne(document)) started.push(await toCampaign(await document.ref.get()));
        }
        return started;
      },
      async followUp(id, afterDays) {
        if (!isId(id)) return null;
        const draft = await transact(firestore, (tx) => saveFollowUp(tx, id, afterDays, clock()));
        return draft && toCampaign(await draft.get());
      },
    } satisfies CampaignStore['schedule']),
  });
}

/** A new email of the series, before its text and audience are set. */
const NEW_STEP: CampaignContent = { subject: '', body: '', audience: { states: SERIES_STATES, source: null } };

/** Returns the stored draft if it has one of these revisions. */
async function findDraft(tx: Transaction, revisions: readonly string[]): Promise<DocumentSnapshot | undefined> {
  const known = revisions.filter((revision) => revision !== '');
  if (known.length === 0) return undefined;
  const found = await tx.find(tx.collection(COLLECTIONS.campaigns).where('revision', 'in', known));
  return found.find((document) => mayEdit(readCampaign(document)));
}

async function createDraft(tx: Transaction, fields: DocumentData, now: number): Promise<DocumentReference> {
  const campaigns = tx.collection(COLLECTIONS.campaigns);
  const ref = campaigns.doc(randomUUID());
  const number = await nextNumber(tx, campaigns);
  const progress = { started_at: null, people: 0, position: null, is_fed: false };
  tx.create(ref, { ...fields, ...progress, number, state: 'draft', created_at: now });
  return ref;
}

/** Creates the draft of the follow-up to a campaign, or changes its days. Returns null like `followUp`. */
async function saveFollowUp(tx: Transaction, id: string, after_days: number, now: number) {
  const campaigns = tx.collection(COLLECTIONS.campaigns);
  const first = await tx.get(campaigns.doc(id));
  if (!first.exists || !mayBeFollowed(readCampaign(first))) return null;
  const [stored] = await tx.find(campaigns.where('follows', '==', id));
  const content = { subject: '', body: '', audience: { states: [FOLLOWED_UP], source: null } };
  if (stored === undefined) return createDraft(tx, { ...toFields(content), follows: id, after_days }, now);
  if (readCampaignState(stored) !== 'draft') return null;
  tx.update(stored.ref, { after_days });
  return stored.ref;
}

function countAudience(firestore: Firestore, audience: Audience, at: number, newest = MAX_COUNTED) {
  const signups = firestore.collection(COLLECTIONS.signups);
  return countMatching(signups, toFilter(audience, at), Math.min(newest, MAX_COUNTED));
}

async function toCampaign(document: DocumentSnapshot): Promise<Campaign> {
  return { ...readCampaign(document), ...(await readResults(document)) };
}

/** Up to this audience size, a follow-up's recipients are read to count them before it starts. */
const FOLLOW_UP_COUNTED = 300;

/**
 * Returns the fields of a starting campaign. A large follow-up counts its whole audience until its recipients are
 * known, because reading everyone twice would double the cost.
 */
async function startedFields(campaign: DocumentSnapshot, now: number) {
  const { firestore } = campaign.ref;
  const { audience, follows, series } = readCampaign(campaign);
  if (series !== null) return turnedOn(now);
  const { count: people } = await countAudience(firestore, audience, now);
  if (follows === null || people > FOLLOW_UP_COUNTED) return { started_at: now, people, is_estimate: follows !== null };
  const filter = toFilter(audience, now);
  const recipients = await readAtOnce(firestore, async (tx) => {
    const found = await tx.find(filtered(tx.collection(COLLECTIONS.signups), filter, 'oldest'));
    return findRecipients(tx, campaign, await matchingSignups(tx, found, filter), now);
  });
  return { started_at: now, people: recipients.length, is_estimate: false };
}

/**
 * Returns the people who get the campaign: the whole audience, or for a follow-up those who got the previous campaign
 * and have not joined within the days.
 */
async function findRecipients(
  tx: Transaction,
  campaign: DocumentSnapshot,
  people: readonly DocumentSnapshot[],
  startedAt: number,
): Promise<readonly DocumentSnapshot[]> {
  const { follows, after_days } = readCampaign(campaign);
  if (follows === null || after_days === null) return people;
  const last = lastInvitation(after_days, startedAt);
  const invited = people.filter(
    (person) =>
      storedState(person) === FOLLOWED_UP &&
      (integerOrNull(person, 'invited_at') ?? timestamp(person, 'created_at').toMillis()) <= last,
  );
  const first = await tx.getAll(...invited.map(({ id }) => campaignMessageRef(tx, id, follows)));
  return invited.filter((_, index) => first[index]?.get('state') === 'sent');
}

/** Queues the next messages of a campaign, or ends it. Returns the number of people processed. */
async function feedOne(tx: Transaction, ref: DocumentReference, now: number): Promise<number> {
  const campaign = await tx.get(ref);
  if (!campaign.exists || readCampaignState(campaign) !== 'sending') return 0;
  const queued = await tx.count(queryMessages(tx, ref.id, 'queued'));
  const waiting = await tx.count(queryWaiting(tx, ref.id));
  const room = campaignRoom({ queued, waiting });
  const hasMore = campaign.get('is_fed') !== true;
  if (hasMore && room === 0) return 0;
  const startedAt = integer(campaign, 'started_at');
  const filter = toFilter(readContent(campaign).audience, startedAt);
  const people = hasMore ? await tx.find(nextPeople(tx, campaign, filter).limit(room)) : [];
  if (people.length === 0) {
    const isDone = queued + (await tx.count(queryMessages(tx, ref.id, 'sending'))) === 0;
    if (isDone || hasMore)
      tx.update(ref, { is_fed: true, ...(isDone && { state: 'done', ended_at: campaign.get('ended_at') ?? now }) });
    return 0;
  }
  const had = await findCorrected(tx, people, ref.id);
  const audience = (await matchingSignups(tx, people, filter)).filter(({ id }) => !had.has(id));
  const reached = await findRecipients(tx, campaign, audience, startedAt);
  for (const document of reached) {
    const signup_id = signupIdOfDocument(document.id);
    const message = newMessageDocument({ kind: 'campaign', signup_id, campaign_id: ref.id }, now);
    tx.set(campaignMessageRef(tx, signup_id, ref.id), message);
  }
  const last = people.at(-1);
  const progress = { position: [last?.get('created_at'), last?.id], is_fed: people.length < room };
  tx.update(ref, { ...progress, reached: FieldValue.increment(reached.length) });
  return people.length;
}

/**
 * Returns the people who already have the campaign's message. Correcting an address changes a person's place in the
 * order, so they may be found twice.
 */
async function findCorrected(tx: Transaction, people: readonly DocumentSnapshot[], campaignId: string) {
  const corrected = people.filter((person) => JSON.stringify(person.get('timeline') ?? null).includes('"correct"'));
  const messages = await tx.getAll(...corrected.map(({ id }) => campaignMessageRef(tx, id, campaignId)));
  return new Set(corrected.filter((_, index) => messages[index]?.exists).map(({ id }) => id));
}

function nextPeople(reader: DocumentReader, campaign: DocumentSnapshot, filter: IndexedFilter): Query {
  const [startedAt, position] = [integer(campaign, 'started_at'), campaign.get('position')];
  const audience = filtered(reader.collection(COLLECTIONS.signups), filter, 'oldest');
  const people = inOrder(audience.where('created_at', '<=', Timestamp.fromMillis(startedAt)), 'oldest');
  return position === null ? people : people.startAfter(...position);
}

function toFields({ subject, body, audience: { states, source, conditions } }: CampaignContent) {
  return { subject, body, states: [...states], source, conditions: conditions ? JSON.stringify(conditions) : null };
}

/** Reads a campaign without its results, which `readResults` counts. */
function readCampaign(document: DocumentSnapshot): Omit<Campaign, keyof Awaited<ReturnType<typeof readResults>>> {
  const [people, reached] = [integer(document, 'people'), integerOrNull(document, 'reached') ?? 0];
  const isKnown = document.get('is_estimate') === true && document.get('is_fed') === true;
  return {
    id: document.id,
    ...readContent(document),
    revision: readRevision(document),
    state: readCampaignState(document),
    created_at: integer(document, 'created_at'),
    started_at: integerOrNull(document, 'started_at'),
    ended_at: integerOrNull(document, 'ended_at'),
    scheduled_at: integerOrNull(document, 'scheduled_at'),
    time_zone: textOrNull(document, 'time_zone'),
    follows: textOrNull(document, 'follows'),
    after_days: integerOrNull(document, 'after_days'),
    stopped_at: integerOrNull(document, 'stopped_at'),
    resumed_at: integerOrNull(document, 'resumed_at'),
    series: readTiming(document),
    // A campaign that was too large to count at its start may have more recipients, which its messages show.
    people: isKnown ? reached : Math.max(people, reached),
  };
}

function readRevision(campaign: DocumentSnapshot): string {
  return String(campaign.get('revision') ?? '');
}
