import {
  CAMPAIGN_REACTIONS,
  type Campaign,
  type CampaignReaction,
  type ComplaintCounts,
  countComplaintsFrom,
} from 'early-access-server/internal';
import { type DocumentSnapshot, FieldValue, type Firestore } from 'firebase-admin/firestore';
import { countDocuments, type Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integerOrNull } from '../fields.ts';
import { campaignMessageRef, findMessages, readMessage, type StoredMessage } from '../message-document.ts';

const OUTCOMES = ['sent', 'failed', 'unknown'] as const;
type Result = (typeof OUTCOMES)[number] | CampaignReaction;

/**
 * Counts the messages of a campaign by state and by `reactions`, because a counter document sustains only one write per
 * second. Results of erased people are in the campaign's `erased`.
 */
export async function readResults(campaign: DocumentSnapshot): Promise<Pick<Campaign, Result>> {
  const isStarted = campaign.get('started_at') !== null;
  const messages = campaign.ref.firestore.collection(COLLECTIONS.mails).where('campaign_id', '==', campaign.id);
  const count = async (result: Result) => {
    const found = OUTCOMES.some((outcome) => outcome === result)
      ? messages.where('state', '==', result)
      : messages.where('reactions', 'array-contains', result);
    return isStarted ? (await countDocuments(found)) + Number(campaign.get(`erased.${result}`) ?? 0) : 0;
  };
  const [sent, failed, unknown, unsubscribed, complained, joined] = await Promise.all([
    count('sent'),
    count('failed'),
    count('unknown'),
    count('unsubscribed'),
    count('complained'),
    count('joined'),
  ]);
  return { sent, failed, unknown, unsubscribed, complained, joined };
}

/** Counts emails to people, and complaints about them, in the period that the complaint rate is computed for. */
export async function countComplaints(firestore: Firestore, now: number): Promise<ComplaintCounts> {
  const last = firestore.collection(COLLECTIONS.campaigns).orderBy('resumed_at', 'desc').limit(1);
  const [resumed] = (await last.select('resumed_at').get()).docs;
  const since = countComplaintsFrom(now, resumed === undefined ? null : integerOrNull(resumed, 'resumed_at'));
  const messages = firestore.collection(COLLECTIONS.mails).where('state', '==', 'sent').where('changed_at', '>', since);
  const [emails, complaints] = await Promise.all([
    countDocuments(messages),
    countDocuments(messages.where('reactions', 'array-contains', COMPLAINED)),
  ]);
  return { since, emails, complaints };
}

/** Adds the results of messages that are about to be erased to their campaigns. */
export async function keepResults(tx: Transaction, messages: readonly StoredMessage[]): Promise<void> {
  for (const { message } of messages) {
    const results = [...OUTCOMES, ...CAMPAIGN_REACTIONS].filter(
      (result) => result === message.state || message.reactions.includes(result),
    );
    if (message.campaign_id === null || results.length === 0) continue;
    const campaign = await tx.get(tx.collection(COLLECTIONS.campaigns).doc(message.campaign_id));
    const erased = results.map((result) => [`erased.${result}`, FieldValue.increment(1)]);
    if (campaign.exists) tx.update(campaign.ref, Object.fromEntries(erased));
  }
}

/**
 * Adds a reaction to messages of campaigns. Queued ones are skipped, because they are dropped when the person leaves.
 */
function addReaction(tx: Transaction, messages: readonly StoredMessage[], reaction: CampaignReaction): void {
  for (const { ref, message } of messages) {
    if (message.campaign_id === null || message.state === 'queued') continue;
    tx.update(ref, { reactions: FieldValue.arrayUnion(reaction) });
  }
}

/** Counts a person who unsubscribed by the campaign's link. */
export async function recordUnsubscription(tx: Transaction, signupId: string, campaignId: string): Promise<void> {
  const ref = campaignMessageRef(tx, signupId, campaignId);
  const message = readMessage(await tx.get(ref));
  if (message !== null) addReaction(tx, [{ ref, message }], 'unsubscribed');
}

/** Recorded for all spam complaints, even if the message is not from a campaign. */
const COMPLAINED = 'complained' satisfies CampaignReaction;

/** Counts a complaint about the message with this key; null: about the last message that was sent. */
export async function recordComplaint(tx: Transaction, signupId: string, key: string | null): Promise<void> {
  const messages = await findMessages(tx, signupId);
  const newest = messages.toSorted((a, b) => b.message.changed_at - a.message.changed_at);
  const reported = newest.find(({ message }) =>
    key === null ? message.state === 'sent' : message.message_key === key,
  );
  if (reported !== undefined && reported.message.state !== 'queued') {
    tx.update(reported.ref, { reactions: FieldValue.arrayUnion(COMPLAINED) });
  }
}

/** Counts a person who has joined for each campaign that they got, and drops their queued follow-ups. */
export async function recordJoining(tx: Transaction, signupId: string): Promise<void> {
  const messages = await findMessages(tx, signupId);
  addReaction(
    tx,
    messages.filter(({ message }) => message.state === 'sent'),
    'joined',
  );
  for (const { ref, message } of messages) {
    if (message.campaign_id === null || message.state !== 'queued') continue;
    const campaign = await tx.get(tx.collection(COLLECTIONS.campaigns).doc(message.campaign_id));
    if (typeof campaign.get('follows') === 'string') tx.delete(ref);
  }
}
