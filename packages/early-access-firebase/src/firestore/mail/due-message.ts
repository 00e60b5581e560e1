import type { SignupFields } from 'early-access-kit/core';
import { type ClaimedMessage, emailFields, isDue, mayReceive, storedFields } from 'early-access-server/internal';
import type { DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import { readCampaignState, readContent } from '../campaigns/content.ts';
import type { DocumentReader } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integerOrNull, textOrNull } from '../fields.ts';
import { personRefs, type StoredPerson, storedState, toStoredPerson } from '../list/person.ts';
import { type MessageDocument, messageRef, readMessage, toSignupId } from '../message-document.ts';

/** A message that is due, and the documents that belong to it. */
export interface DueMessage {
  readonly email: string;
  readonly fields: SignupFields;
  readonly language: string | null;
  readonly message: MessageDocument;
  readonly campaign: ClaimedMessage['campaign'];
  /** Null for a notice. */
  readonly person: StoredPerson | null;
}

/** The stored documents of a message and its recipient. */
export interface MessageDocuments {
  /** Null for a notice. */
  readonly signupId: string | null;
  readonly signup: DocumentSnapshot | undefined;
  readonly message: MessageDocument | null;
}

/** Reads the documents of a message, and others in the same call. */
export async function readDocuments(reader: DocumentReader, messageId: string, ...others: DocumentReference[]) {
  const signupId = toSignupId(messageId);
  const signups = signupId === null ? [] : [personRefs(reader, signupId).signup];
  const [message, ...rest] = await reader.getAll(messageRef(reader, messageId), ...others, ...signups);
  return {
    documents: { signupId, signup: rest[others.length], message: readMessage(message) },
    others: rest.slice(0, others.length),
  };
}

/** Returns whether a browser has written the signup and it is not enrolled yet. */
export function needsEnrolment({ signup }: MessageDocuments): boolean {
  return toStoredPerson(signup) !== null && signup !== undefined && storedState(signup) === null;
}

/** Returns null if nothing is due. `dropped`: the recipient may no longer receive the message, or was erased. */
export async function findDue(reader: DocumentReader, { signupId, signup, message }: MessageDocuments, now: number) {
  return message === null || !isDue(message, now) ? null : findContent(reader, { signupId, signup, message });
}

/** Like `findDue`, for a message that need not be due. */
export async function findContent(
  reader: DocumentReader,
  { signupId, signup, message }: MessageDocuments & { readonly message: MessageDocument },
): Promise<DueMessage | 'dropped' | null> {
  if (signupId === null) {
    const { recipient: email } = message;
    return email === null ? null : { email, fields: {}, language: null, message, campaign: null, person: null };
  }
  const person = toStoredPerson(signup);
  if (signup === undefined || person === null || !mayReceive(person.state, message.kind)) return 'dropped';
  const campaign = message.campaign_id === null ? null : await readCampaign(reader, message.campaign_id);
  // Messages of a paused campaign wait.
  if (typeof campaign === 'string') return campaign === 'paused' ? null : 'dropped';
  // The new address of a correction is not confirmed.
  const isConfirmed = integerOrNull(signup, 'confirmed_at') !== null && message.recipient === null;
  const fields = emailFields(storedFields(signup.get('fields')), isConfirmed);
  const language = textOrNull(signup, 'entered.language') ?? textOrNull(signup, 'language');
  return { email: message.recipient ?? person.email, fields, language, message, campaign, person };
}

/** Returns the text of a campaign that is being sent, or the state of any other. */
async function readCampaign(reader: DocumentReader, id: string) {
  const [campaign] = await reader.getAll(reader.collection(COLLECTIONS.campaigns).doc(id));
  if (!campaign?.exists) return 'ended';
  const state = readCampaignState(campaign);
  if (state !== 'sending') return state === 'paused' ? 'paused' : 'ended';
  const { subject, body } = readContent(campaign);
  return { subject, body };
}
