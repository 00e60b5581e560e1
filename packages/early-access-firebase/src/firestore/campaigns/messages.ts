import type { MailState } from 'early-access-server/internal';
import type { Query } from 'firebase-admin/firestore';
import type { DocumentReader } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';

export function queryMessages(reader: DocumentReader, campaign: string, state: MailState): Query {
  return reader.collection(COLLECTIONS.mails).where('campaign_id', '==', campaign).where('state', '==', state);
}

/** Returns messages without any attempt. */
export function queryWaiting(reader: DocumentReader, campaign: string): Query {
  return queryMessages(reader, campaign, 'queued').where('attempts', '==', 0);
}
