import { MAX_LENGTH, StorageError } from 'early-access-kit/core';
import { fieldOf } from '../../app/field-of.ts';
import {
  type Audience,
  CAMPAIGN_AUDIENCE,
  type CampaignContent,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
} from '../../app/list/campaign-store.ts';
import { textField } from './admin-input.ts';

const CHANGES = ['sending', 'paused', 'cancelled'] as const;

/** A draft, which may be incomplete. */
export function readCampaign(body: unknown): CampaignContent {
  const subject = textField(body, 'subject', MAX_CAMPAIGN_SUBJECT);
  if (/\p{Cc}/u.test(subject)) throw new StorageError('invalid', 'subject must be one line');
  return {
    subject,
    body: textField(body, 'body', MAX_CAMPAIGN_BODY),
    audience: readAudience(fieldOf(body, 'audience')),
  };
}

export function readAudience(value: unknown): Audience {
  const given = fieldOf(value, 'states');
  const states = CAMPAIGN_AUDIENCE.filter((state) => Array.isArray(given) && given.includes(state));
  if (!Array.isArray(given) || states.length !== given.length) {
    throw new StorageError('invalid', `states must list some of ${CAMPAIGN_AUDIENCE.join(', ')}, each once`);
  }
  const source = fieldOf(value, 'source') ?? null;
  return { states, source: source === null ? null : textField(value, 'source', MAX_LENGTH.source) };
}

export function readChange(body: unknown): (typeof CHANGES)[number] {
  const to = CHANGES.find((state) => state === fieldOf(body, 'to'));
  if (to === undefined) throw new StorageError('invalid', `to must be one of ${CHANGES.join(', ')}`);
  return to;
}
