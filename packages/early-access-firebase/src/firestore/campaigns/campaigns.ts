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
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  type Query,
  Timestamp,
  type Transaction,
} from 'firebase-admin/firestore';
import { changeAll, countDocuments, nextNumber, orStorageError, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { enumValue } from '../fields.ts';
import { signupIdOfDocument } from '../list/person.ts';
import { newMessageDocument } from '../mail/message-document.ts';

/**
 * `campaigns/{id}`. Messages are queued in the order of the signups; `position` is the last one, and `is_fed` is set once there are no more.
 * Results are counted from the messages, because a counter document sustains only one write a second.
 */
export function firestoreCampaigns(firestore: Firestore, clock: Clock): CampaignStore {
  const campaigns = firestore.collection(COLLECTIONS.campaigns);
  const mails = firestore.collection(COLLECTIONS.mails);
  const signups = firestore.collection(COLLECTIONS.signups);
  const queryState = (id: string, state: MailState) => mails.where('campaign_id', '==', id).where('state', '==', state);
  /** Messages that were never attempted. */
  const queryWaiting = (id: string) => queryState(id, 'queued').where('attempts', '==', 0);

  /** Null if the audience has no state: Firestore has no query for that. */
  function queryAudience({ states, source }: Audience): Query | null {
    if (states.length === 0) return null;
    const people = signups.where('state', 'in', states);
    return source === null ? people : people.where('source', '==', source);
  }

  async function audienceSize(audience: Audience): Promise<number> {
    const people = queryAudience(audience);
    return people === null ? 0 : countDocuments(people);
  }

  async function toCampaign(document: DocumentSnapshot): Promise<Campaign> {
    const isDraft = document.get('started_at') === null;
    const [sent = 0, failed = 0, unknown = 0] = await Promise.all(
      (['sent', 'failed', 'unknown'] as const).map((state) =>
        isDraft ? 0 : countDocuments(queryState(document.id, state)),
      ),
    );
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
    };
  }

  /** Runs `change` on a campaign in a transaction. Returns false if there is none, or if `change` does. */
  function changeOne(
    id: string,
    change: (transaction: Transaction, document: DocumentSnapshot) => boolean,
  ): Promise<boolean> {
    return transact(firestore, async (transaction) => {
      if (!isId(id)) return false;
      const document = await transaction.get(campaigns.doc(id));
      return document.exists && change(transaction, document);
    });
  }

  async function change(
    id: string,
    to: Parameters<CampaignStore['change']>[1],
    revision: string | undefined,
  ): Promise<boolean> {
    const campaign = isId(id) ? await campaigns.doc(id).get() : null;
    if (!campaign?.exists) return false;
    const people = readCampaignState(campaign) === 'draft' ? await audienceSize(readContent(campaign).audience) : 0;
    const isChanged = await changeOne(id, (transaction, document) => {
      const state = readCampaignState(document);
      if (!mayBecome({ state, revision: readRevision(document) }, to, revision)) return false;
      const started = state === 'draft' && to === 'sending' ? { started_at: clock(), people } : {};
      transaction.update(document.ref, { state: to, ...started });
      return true;
    });
    if (isChanged && to === 'cancelled') {
      await changeAll(firestore, queryState(id, 'queued'), (transaction, { ref }) => void transaction.delete(ref));
    }
    return isChanged;
  }

  /** Queues the next messages of a campaign, or ends it. Returns how many people it went through. */
  function feedOne(id: string): Promise<number> {
    return transact(firestore, async (transaction) => {
      const campaign = await transaction.get(campaigns.doc(id));
      if (!campaign.exists || readCampaignState(campaign) !== 'sending') return 0;
      const count = (query: Query) => countDocuments(query, transaction);
      const queued = await count(queryState(id, 'queued'));
      const waiting = await count(queryWaiting(id));
      const room = campaignRoom({ queued, waiting });
      const hasMore = campaign.get('is_fed') !== true;
      if (hasMore && room === 0) return 0;
      const next = hasMore ? nextPeople(campaign, room) : null;
      const people = next === null ? [] : (await transaction.get(next)).docs;
      if (people.length === 0) {
        const isDone = queued + (await count(queryState(id, 'sending'))) === 0;
        if (isDone || hasMore) transaction.update(campaign.ref, { is_fed: true, ...(isDone && { state: 'done' }) });
        return 0;
      }
      const now = clock();
      for (const document of people) {
        const signup_id = signupIdOfDocument(document.id);
        const message = newMessageDocument({ kind: 'campaign', signup_id, campaign_id: id }, now);
        transaction.set(mails.doc(`${signup_id}.campaign.${id}`), { ...message });
      }
      const last = people.at(-1);
      const position = [last?.get('created_at'), last?.id];
      transaction.update(campaign.ref, { position, is_fed: people.length < room });
      return people.length;
    });
  }

  function nextPeople(campaign: DocumentSnapshot, limit: number): Query | null {
    const [startedAt, position] = [Number(campaign.get('started_at')), campaign.get('position')];
    const people = queryAudience(readContent(campaign).audience)
      ?.where('created_at', '<=', Timestamp.fromMillis(startedAt))
      .orderBy('created_at')
      .orderBy(FieldPath.documentId());
    return (position === null ? people : people?.startAfter(...position))?.limit(limit) ?? null;
  }

  return {
    list: () =>
      orStorageError(async () => {
        const { docs } = await campaigns.orderBy('number', 'desc').get();
        return Promise.all(docs.map(toCampaign));
      }),
    find: (id) =>
      orStorageError(async () => {
        const document = isId(id) ? await campaigns.doc(id).get() : null;
        return document?.exists ? toCampaign(document) : null;
      }),
    audienceSize: (audience) => orStorageError(() => audienceSize(audience)),
    create: (content, { revision, replaces } = NEW_DRAFT) =>
      orStorageError(async () => {
        const ref = await transact(firestore, async (transaction) => {
          const known = [revision, ...replaces].filter((name) => name !== '');
          const drafts =
            known.length === 0 ? [] : (await transaction.get(campaigns.where('revision', 'in', known))).docs;
          const draft = drafts.find((document) => readCampaignState(document) === 'draft');
          const written = { ...toFields(content), revision };
          if (draft !== undefined) {
            transaction.update(draft.ref, written);
            return draft.ref;
          }
          const number = await nextNumber(transaction, campaigns);
          const progress = { started_at: null, people: 0, position: null, is_fed: false };
          const created = campaigns.doc(randomUUID());
          transaction.create(created, { ...written, ...progress, number, state: 'draft', created_at: clock() });
          return created;
        });
        return toCampaign(await ref.get());
      }),
    save: (id, content, { revision, replaces }) =>
      changeOne(id, (transaction, document) => {
        if (readCampaignState(document) !== 'draft' || !replaces.includes(readRevision(document))) return false;
        transaction.update(document.ref, { ...toFields(content), revision });
        return true;
      }),
    remove: (id) =>
      changeOne(id, (transaction, document) => {
        if (readCampaignState(document) !== 'draft') return false;
        transaction.delete(document.ref);
        return true;
      }),
    change: (id, to, revision) => orStorageError(() => change(id, to, revision)),
    feed: () =>
      orStorageError(async () => {
        let fed = 0;
        for (const campaign of (await campaigns.where('state', '==', 'sending').get()).docs) {
          // Most calls find nothing to do, and need no transaction for that.
          const waiting = await countDocuments(queryWaiting(campaign.id));
          const isFull = campaignRoom({ queued: waiting, waiting }) === 0;
          if (campaign.get('is_fed') === true ? waiting === 0 : !isFull) fed += await feedOne(campaign.id);
        }
        return fed;
      }),
  };
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
