import { ATTRIBUTION_FIELDS, type StoredSignup } from 'early-access-kit/core';
import { integer, presentFields, presentTexts, type Row, text, textOrNull } from './row.ts';

/** The signup in a row of `email_signups`. */
export function toSignup(row: Row): StoredSignup {
  return {
    email: text(row, 'email'),
    session_id: textOrNull(row, 'session_id'),
    source: text(row, 'source'),
    referrer: textOrNull(row, 'referrer'),
    submission_id: text(row, 'submission_id'),
    created_at: integer(row, 'created_at'),
    ...presentTexts(row, ATTRIBUTION_FIELDS),
    ...presentFields(row),
  };
}
