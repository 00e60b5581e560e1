export const ADMIN_TABLES = `
  -- hash: SHA-256 of the token, in hexadecimal.
  CREATE TABLE @admin_sign_in_tokens (hash #key PRIMARY KEY, email text NOT NULL, expires_at #bigint NOT NULL) #keyed;
  CREATE TABLE @admin_sessions (
    id #key PRIMARY KEY,
    hash text NOT NULL UNIQUE,
    email text NOT NULL,
    created_at #bigint NOT NULL,
    last_used_at #bigint NOT NULL,
    device text NOT NULL
  ) #keyed;

  -- What admins did; contains no address of a person. session: id of the admin's session; admin: their address; count: people or sessions it concerned.
  -- route: what an API key was used for; null for what admins did. Each of the two is bounded by its own number of entries.
  CREATE TABLE @admin_audit (
    id #id,
    at #bigint NOT NULL,
    session text NOT NULL,
    action text NOT NULL,
    count #bigint NOT NULL,
    admin text,
    api_key text,
    route text
  ) #rows;
  CREATE INDEX admin_audit_of_admins ON @admin_audit (id) WHERE route IS NULL;
  CREATE INDEX admin_audit_of_api_keys ON @admin_audit (id) WHERE route IS NOT NULL;

  -- signups_noticed_until: the signups until then are in notices that were sent. It means nothing while notices are off.
  CREATE TABLE @admin_settings (
    email #key PRIMARY KEY,
    time_zone text,
    weekly_email integer NOT NULL,
    signup_notices text NOT NULL DEFAULT 'off',
    signups_noticed_until #bigint NOT NULL DEFAULT 0
  ) #keyed;
  -- week: start of the last week whose email was claimed.
  CREATE TABLE @admin_weekly_emails (email #key PRIMARY KEY, week #bigint NOT NULL) #keyed;

  -- hash: SHA-256 of the key, in hexadecimal; scopes: a JSON array.
  CREATE TABLE @api_keys (
    id #key PRIMARY KEY,
    hash #key NOT NULL UNIQUE,
    name text NOT NULL,
    scopes text NOT NULL,
    created_at #bigint NOT NULL,
    last_used_at #bigint
  ) #keyed;

  -- The Idempotency-Keys of API keys, and the responses to their requests, encrypted. hash, request: digests that the API key is needed for.
  CREATE TABLE @idempotency_keys (
    hash #key PRIMARY KEY,
    api_key #key NOT NULL,
    request text NOT NULL,
    response text,
    created_at #bigint NOT NULL
  ) #keyed;
  CREATE INDEX idempotency_keys_by_age ON @idempotency_keys (created_at);
  CREATE INDEX idempotency_keys_by_api_key ON @idempotency_keys (api_key, created_at);

  -- events: a JSON array. position: the order in which they were added. The rest of the columns: see Webhook.
  CREATE TABLE @webhooks (
    id #key NOT NULL UNIQUE,
    url text NOT NULL,
    secret text NOT NULL,
    format text NOT NULL,
    events text NOT NULL,
    created_at #bigint NOT NULL,
    failing_since #bigint,
    failures integer NOT NULL DEFAULT 0,
    paused_until #bigint NOT NULL DEFAULT 0,
    disabled_at #bigint,
    position #id
  ) #rows;

  -- One row per event and endpoint that wants it. person: public id. signup_id: null for person.erased, which stays when the person's other
  -- events go with the signup.
  CREATE TABLE @webhook_deliveries (
    id #uniqueId,
    webhook_id text NOT NULL REFERENCES @webhooks (id) ON DELETE CASCADE,
    signup_id #bigint REFERENCES @email_signups (id) ON DELETE CASCADE,
    event_id text NOT NULL,
    type text NOT NULL,
    at #bigint NOT NULL,
    person text NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at #bigint NOT NULL,
    lease_until #bigint,
    changed_at #bigint NOT NULL,
    reason text
  ) #rows;
  CREATE INDEX webhook_deliveries_by_webhook ON @webhook_deliveries (webhook_id#andId);
  CREATE INDEX webhook_deliveries_by_signup ON @webhook_deliveries (signup_id);
  CREATE INDEX webhook_deliveries_queued ON @webhook_deliveries (webhook_id, next_attempt_at#andId) WHERE state = 'queued';
  CREATE INDEX webhook_deliveries_sending ON @webhook_deliveries (lease_until) WHERE state = 'sending';
`;
