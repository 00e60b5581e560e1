import { ATTRIBUTION_FIELDS } from 'early-access-kit/core';

/** The columns of an export of the sign-ups, the same from every store. New ones go to the end: people count them. */
export const SIGNUP_COLUMNS = [
  'email',
  'session_id',
  'source',
  'referrer',
  'created_at',
  ...ATTRIBUTION_FIELDS,
] as const;
