import {
  type Audience,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  EVERYONE,
  PERSON_STATES,
  readSegment,
} from 'early-access-server/internal';
import type { DocumentSnapshot } from 'firebase-admin/firestore';
import { enumValue, textOrNull } from '../fields.ts';
import { type IndexedFilter, indexedFilter } from '../people/queries.ts';

export function readContent(campaign: DocumentSnapshot): CampaignContent {
  const [states, source]: unknown[] = [campaign.get('states'), campaign.get('source')];
  const conditions = textOrNull(campaign, 'conditions');
  return {
    subject: String(campaign.get('subject')),
    body: String(campaign.get('body')),
    audience: {
      states: PERSON_STATES.filter((state) => Array.isArray(states) && states.includes(state)),
      source: typeof source === 'string' ? source : null,
      ...(conditions !== null && { conditions: readSegment(JSON.parse(conditions)) }),
    },
  };
}

export function readCampaignState(campaign: DocumentSnapshot): Campaign['state'] {
  return enumValue(campaign, 'state', CAMPAIGN_STATES);
}

/** Converts an audience to a filter of the list. `at`: the time that "days ago" is relative to. */
export function toFilter({ states, source, conditions }: Audience, at: number): IndexedFilter {
  const both = states.filter((state) => conditions?.states?.includes(state) ?? true);
  return indexedFilter({ ...EVERYONE, source, segment: { conditions: { ...conditions, states: both }, at } });
}
