/**
 * What the dashboard's later pages share with the server, apart from `admin-api.ts`: the first view loads that with
 * everything in it.
 */

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
