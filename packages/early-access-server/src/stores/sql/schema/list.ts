import { PLACE_STEP_MS } from '../../../app/share/share-link.ts';

/** People with their states, their invitations and the links in their emails. */
export const LIST_TABLES = `
  -- email: compared by its bytes, so that a list is in the same order in every database. person_id: the public id, see newPersonId. fields: the values
  -- of the host's own fields, as JSON; null if there are none. Text, so that a copy is the same byte for byte. traffic_source_id: what the signup counts
  -- as, see the sums of analytics; null if an import added the person. bounced_from: the state in which the address bounced. unsubscribed_at: also that of a person who has signed up
  -- again since, and is pending. consent_text, consent_page: as an imported file says it.
  -- confirmed_by: the kind of the email whose link confirmed the address. timeline: the person's events as JSON; null if there are none. language: the primary tag of the visitor's
  -- language; null if it is not known.
  -- share_code: of their share link; null until it is first asked for. referrals: people who count for it, see share_credits.
  CREATE TABLE @email_signups (
    id #id,
    email #key NOT NULL UNIQUE,
    session_id text,
    source text NOT NULL,
    referrer text,
    submission_id text NOT NULL,
    created_at #bigint NOT NULL,
    page_url text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    fields text,
    traffic_source_id #bigint,
    state text NOT NULL DEFAULT 'subscribed'
      CHECK (state IN ('pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced')),
    bounced_from text,
    wave_id #bigint,
    person_id #key NOT NULL UNIQUE,
    confirmed_at #bigint,
    unsubscribed_at #bigint,
    bounced_at #bigint,
    invited_at #bigint,
    joined_at #bigint,
    consent_text text,
    consent_page text,
    confirmed_by text,
    timeline text,
    language text,
    share_code #key,
    referrals #bigint NOT NULL DEFAULT 0
  ) #rows;
  -- It covers the dashboard's counts of signups by source.
  CREATE INDEX signups_by_age ON @email_signups (created_at, id, traffic_source_id);
  CREATE INDEX signups_by_state ON @email_signups (state, created_at#andId);
  -- It covers the dashboard's count of who joined, so that SQLite reads no row for it and prefers no other index.
  CREATE INDEX signups_joined ON @email_signups (created_at, traffic_source_id, joined_at) WHERE joined_at IS NOT NULL;
  CREATE INDEX signups_by_session ON @email_signups (session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX signups_by_wave ON @email_signups (wave_id, state) WHERE wave_id IS NOT NULL;

  -- conditions: JSON.
  CREATE TABLE @segments (id #key PRIMARY KEY, name #key NOT NULL UNIQUE, conditions text NOT NULL) #keyed;
  CREATE UNIQUE INDEX signups_by_share_code ON @email_signups (share_code) WHERE share_code IS NOT NULL;
  CREATE INDEX signups_shared ON @email_signups (utm_content, created_at, confirmed_at) WHERE utm_source = 'share';
  -- The place of people whom a share link moves ahead, see PLACE_KEY.
  CREATE INDEX signups_with_referrals ON @email_signups ((created_at - referrals * ${PLACE_STEP_MS})) WHERE referrals > 0;

  -- Friends who confirmed, by public ids. mailbox: SHA-256 of the friend's mailbox, which brings credit once.
  CREATE TABLE @share_credits (
    mailbox #key PRIMARY KEY,
    friend #key NOT NULL UNIQUE,
    brought_by #key NOT NULL,
    credit text NOT NULL CHECK (credit IN ('counted', 'held', 'rejected'))
  ) #keyed;
  CREATE INDEX share_credits_by_person ON @share_credits (brought_by, credit);

  -- people: how many were invited; some may have been erased since.
  CREATE TABLE @invite_waves (id #uniqueId, created_at #bigint NOT NULL, people #bigint NOT NULL) #rows;

  -- Links in emails. hash: SHA-256 of the token, in hexadecimal. kind, campaign_id: of the email.
  CREATE TABLE @person_tokens (
    hash #key PRIMARY KEY,
    signup_id #bigint NOT NULL REFERENCES @email_signups (id) ON DELETE CASCADE,
    purpose text NOT NULL,
    kind text NOT NULL,
    campaign_id #bigint,
    expires_at #bigint NOT NULL,
    used_at #bigint
  ) #keyed;
  CREATE INDEX person_tokens_by_signup ON @person_tokens (signup_id);

  -- Tokens of human checks that were used. hash: SHA-256 of the token. purpose: SHA-256 of the submission that it was used for.
  CREATE TABLE @human_tokens (hash #key PRIMARY KEY, purpose text NOT NULL, expires_at #bigint NOT NULL) #keyed;
  CREATE INDEX human_tokens_by_expiry ON @human_tokens (expires_at);
`;
