import { randomUUID } from 'node:crypto';
import { isId } from 'early-access-kit/core';
import {
  type Audience,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  type CampaignStore,
  type Clock,
  campaignRoom,
  type MailState,
  mayBecome,
  NEW_DRAFT,
  PERSON_STATES,
} from 'early-access-server/stores';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  type Query,
  Timestamp,
} from 'firebase-admin/firestore';
import {
  changeAll,
  countDocuments,
  type DocumentReader,
  nextNumber,
  type Transaction,
  transact,
  withStorageErrors,
} from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { enumValue } from '../fields.ts';
import { signupIdOfDocument } from '../list/person.ts';
import { messageRef, newMessageDocument } from '../mail/message-document.ts';

/**
 * `campaigns/{id}`. Messages are queued in the order of the signups; `position` is the last one, and `is_fed` is set once there are no more.
 * Results are counted from the messages, because a counter document sustains only one write a second.
 */
export function firestoreCampaigns(firestore: Firestore, clock: Clock): CampaignStore {
  const campaigns = firestore.collection(COLLECTIONS.campaigns);

  /** Runs `change` on a campaign in a transaction. Returns false if there is none, or if `change` does. */
  async function changeOne(id: string, change: (tx: Transaction, document: DocumentSnapshot) => boolean) {
    if (!isId(id)) return false;
    return transact(firestore, async (tx) => {
      const document = await tx.get(campaigns.doc(id));
      return document.exists && change(tx, document);
    });
  }

  return withStorageErrors({
    async list() {
      const { docs } = await campaigns.orderBy('number', 'desc').get();
      return Promise.all(docs.map(toCampaign));
    },
    async find(id) {
      const document = isId(id) ? await campaigns.doc(id).get() : null;
      return document?.exists ? toCampaign(document) : null;
    },
    audienceSize: (audience) => countAudience(firestore, audience),
    async create(content, { revision, replaces } = NEW_DRAFT) {
      const ref = await transact(firestore, async (tx) => {
        const draft = await findDraft(tx, [revision, ...replaces]);
        const written = { ...toFields(content), revision };
        if (draft !== undefined) {
          tx.update(draft.ref, written);
          return draft.ref;
        }
        const created = campaigns.doc(randomUUID());
        const number = await nextNumber(tx, campaigns);
        const progress = { started_at: null, people: 0, position: null, is_fed: false };
        tx.create(created, { ...written, ...progress, number, state: 'draft', created_at: clock() });
        return created;
      });
      return toCampaign(await ref.get());
    },
    save: (id, content, { revision, replaces }) =>
      changeOne(id, (tx, document) => {
        const isOther = replaces !== undefined && !replaces.includes(readRevision(document));
        if (readCampaignState(document) !== 'draft' || isOther) return false;
        tx.update(document.ref, { ...toFields(content), revision });
        return true;
      }),
    remove: (id) =>
      changeOne(id, (tx, document) => {
        const isDraft = readCampaignState(document) === 'draft';
        if (isDraft) tx.delete(document.ref);
        return isDraft;
      }),
    async change(id, to, revision) {
      const campaign = isId(id) ? await campaigns.doc(id).get() : null;
      if (!campaign?.exists) return false;
      const isDraft = readCampaignState(campaign) === 'draft';
      const people = isDraft ? await countAudience(firestore, readContent(campaign).audience) : 0;
      const isChanged = await changeOne(id, (tx, document) => {
        const state = readCampaignState(document);
        if (!mayBecome({ state, revision: readRevision(document), follows: null }, to, revision)) return false;
        const started = state === 'draft' && to === 'sending' ? { started_at: clock(), people } : {};
        tx.update(document.ref, { state: to, ...started });
        return true;
      });
      if (isChanged && to === 'cancelled') {
        await changeAll(queryMessages(firestore, id, 'queued'), (tx, { ref }) => tx.delete(ref));
      }
      return isChanged;
    },
    async feed() {
      let fed = 0;
      for (const campaign of (await campaigns.where('state', '==', 'sending').get()).docs) {
        // Most calls find nothing to do, and need no transaction for that.
        const waiting = await countDocuments(queryWaiting(firestore, campaign.id));
        const isFull = campaignRoom({ queued: waiting, waiting }) === 0;
        if (campaign.get('is_fed') === true ? waiting === 0 : !isFull) {
          fed += await transact(firestore, (tx) => feedOne(tx, campaign.ref, clock()));
        }
      }
      return fed;
    },
    schedule: null,
  });
}

/** The stored draft with one of these revisions. */
async function findDraft(tx: Transaction, revisions: readonly string[]): Promise<DocumentSnapshot | undefined> {
  const known = revisions.filter((revision) => revision !== '');
  if (known.length === 0) return undefined;
  const found = await tx.find(tx.collection(COLLECTIONS.campaigns).where('revision', 'in', known));
  return found.find((document) => readCampaignState(document) === 'draft');
}

function queryMessages(reader: DocumentReader, id: string, state: MailState): Query {
  return reader.collection(COLLECTIONS.mails).where('campaign_id', '==', id).where('state', '==', state);
}

/** Messages that were never attempted. */
function queryWaiting(reader: DocumentReader, id: string): Query {
  return queryMessages(reader, id, 'queued').where('attempts', '==', 0);
}

/** Null if the audience has no state: Firestore has no query for that. */
function queryAudience(reader: DocumentReader, { states, source }: Audience): Query | null {
  if (states.length === 0) return null;
  const people = reader.collection(COLLECTIONS.signups).where('state', 'in', states);
  return source === null ? people : people.where('source', '==', source);
}

async function countAudience(firestore: Firestore, audience: Audience): Promise<number> {
  const people = queryAudience(firestore, audience);
  return people === null ? 0 : countDocuments(people);
}

/** The parts of a campaign that need `schedule`. */
const NOT_SCHEDULED = {
  ended_at: null,
  scheduled_at: null,
  time_zone: null,
  follows: null,
  after_days: null,
  unsubscribed: null,
  complained: null,
  joined: null,
} as const;

async function toCampaign(document: DocumentSnapshot): Promise<Campaign> {
  const isDraft = document.get('started_at') === null;
  const count = (state: MailState) =>
    isDraft ? 0 : countDocuments(queryMessages(document.ref.firestore, document.id, state));
  const [sent, failed, unknown] = await Promise.all([count('sent'), count('failed'), count('unknown')]);
  return {
    id: document.id,
    ...readContent(document),
    revision: readRevision(document),
    state: readCampaignState(document),
    created_at: Number(document.get('created_at')),
    started_at: document.get('started_at'),
    people: Number(document.get('people')),
    sent,
    failed,
    unknown,
    ...NOT_SCHEDULED,
  };
}

/** Queues the next messages of a campaign, or ends it. Returns how many people it went through. */
async function feedOne(tx: Transaction, ref: DocumentReference, now: number): Promise<number> {
  const campaign = await tx.get(ref);
  if (!campaign.exists || readCampaignState(campaign) !== 'sending') return 0;
  const queued = await tx.count(queryMessages(tx, ref.id, 'queued'));
  const waiting = await tx.count(queryWaiting(tx, ref.id));
  const room = campaignRoom({ queued, waiting });
  const hasMore = campaign.get('is_fed') !== true;
  if (hasMore && room === 0) return 0;
  const next = hasMore ? nextPeople(tx, campaign, room) : null;
  const people = next === null ? [] : await tx.find(next);
  if (people.length === 0) {
    const isDone = queued + (await tx.count(queryMessages(tx, ref.id, 'sending'))) === 0;
    if (isDone || hasMore) tx.update(ref, { is_fed: true, ...(isDone && { state: 'done' }) });
    return 0;
  }
  const had = await findCorrected(tx, people, ref.id);
  for (const document of people) {
    if (had.has(document.id)) continue;
    const signup_id = signupIdOfDocument(document.id);
    const message = newMessageDocument({ kind: 'campaign', signup_id, campaign_id: ref.id }, now);
    tx.set(messageRef(tx, `${signup_id}.campaign.${ref.id}`), { ...message });
  }
  const last = people.at(-1);
  tx.update(ref, { position: [last?.get('created_at'), last?.id], is_fed: people.length < room });
  return people.length;
}

/**
 * The people who have the campaign's message already. A correction of an address gives a person another place in the order, so they may be
 * found twice.
 */
async function findCorrected(tx: Transaction, people: readonly DocumentSnapshot[], campaignId: string) {
  const corrected = people.filter((person) => JSON.stringify(person.get('timeline') ?? null).includes('"correct"'));
  const messages = await tx.getAll(...corrected.map(({ id }) => messageRef(tx, `${id}.campaign.${campaignId}`)));
  return new Set(corrected.filter((_, index) => messages[index]?.exists).map(({ id }) => id));
}

function nextPeople(reader: DocumentReader, campaign: DocumentSnapshot, limit: number): Query | null {
  const [startedAt, position] = [Number(campaign.get('started_at')), campaign.get('position')];
  const people = queryAudience(reader, readContent(campaign).audience)
    ?.where('created_at', '<=', Timestamp.fromMillis(startedAt))
    .orderBy('created_at')
    .orderBy(FieldPath.documentId());
  return (position === null ? people : people?.startAfter(...position))?.limit(limit) ?? null;
}

function toFields({ subject, body, audience: { states, source } }: CampaignContent) {
  return { subject, body, states: [...states], source };
}

export function readContent(campaign: DocumentSnapshot): CampaignContent {
  const [states, source]: unknown[] = [campaign.get('states'), campaign.get('source')];
  return {
    subject: String(campaign.get('subject')),
    body: String(campaign.get('body')),
    audience: {
      states: PERSON_STATES.filter((state) => Array.isArray(states) && states.includes(state)),
      source: typeof source === 'string' ? source : null,
    },
  };
}

function readRevision(campaign: DocumentSnapshot): string {
  return String(campaign.get('revision') ?? '');
}

export function readCampaignState(campaign: DocumentSnapshot): Campaign['state'] {
  return enumValue(campaign, 'state', CAMPAIGN_STATES);
}
