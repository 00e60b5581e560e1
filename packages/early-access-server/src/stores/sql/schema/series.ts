/** When a person became `subscribed`. For imported people, only confirming counts. */
export const SUBSCRIBED_AT = 'coalesce(confirmed_at, CASE WHEN traffic_source_id IS NOT NULL THEN created_at END)';

/** The series of emails after signing up. A later migration that only adds to the schema. */
export const SERIES_COLUMNS = `
  -- series_days: of an email of the series, which comes this number of days after a state, series_after, or after another email, series_previous; null
  -- for a campaign. reached_at, reached_id: everyone up to this moment was looked at; without an id, also everyone at this time.
  ALTER TABLE @campaigns ADD COLUMN series_after text;
  ALTER TABLE @campaigns ADD COLUMN series_previous #bigint;
  ALTER TABLE @campaigns ADD COLUMN series_days integer;
  ALTER TABLE @campaigns ADD COLUMN reached_at #bigint;
  ALTER TABLE @campaigns ADD COLUMN reached_id #bigint;
  CREATE INDEX campaigns_of_series ON @campaigns (id) WHERE series_days IS NOT NULL;
  CREATE INDEX signups_subscribed ON @email_signups ((${SUBSCRIBED_AT})#andId);
  CREATE INDEX signups_invited_at ON @email_signups (invited_at#andId) WHERE invited_at IS NOT NULL;
  CREATE INDEX signups_joined_at ON @email_signups (joined_at#andId) WHERE joined_at IS NOT NULL;
  CREATE INDEX mails_sent_of_campaigns ON @mails (campaign_id, changed_at#andId) WHERE state = 'sent' AND campaign_id IS NOT NULL;
`;
