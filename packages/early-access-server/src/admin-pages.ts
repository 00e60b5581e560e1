/** Shared with the dashboard's lazily loaded pages. Separate from `admin-api.ts`, which is part of the first bundle. */

export {
  CAMPAIGN_AUDIENCE,
  findSendingEnd,
  findStart,
  MAX_AFTER_DAYS,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
  mayBeFollowed,
  mayChangeCampaign,
  mayEdit,
} from './app/campaigns/campaign.ts';
export { describeTiming, inOrder, MAX_STEP_DAYS } from './app/campaigns/series.ts';
export { SERIES_STATES } from './app/campaigns/step-timing.ts';
export { MAX_LABEL_LENGTH, parseLabel } from './app/people/labels.ts';
export {
  addConditions,
  describeConditions,
  describeSegment,
  fieldOf,
  isTextName,
  listStates,
  MAX_DAYS_AGO,
  MAX_SEGMENT_NAME,
  nameImport,
  nameLanguage,
  readSegment,
  removeCondition,
  textSegment,
} from './app/people/segment.ts';
