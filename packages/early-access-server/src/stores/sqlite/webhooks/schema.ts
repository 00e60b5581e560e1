/** Endpoints, and their queue: one row per event and endpoint that wants it. */
export const WEBHOOKS_SCHEMA = `
  -- events: a JSON array. The rest of the columns: see Webhook.
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    format TEXT NOT NULL,
    events TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    failing_since INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    paused_until INTEGER NOT NULL DEFAULT 0,
    disabled_at INTEGER
  ) STRICT;

  -- person: public id. signup_id: null for person.erased, which stays when the person's other events go with the signup.
  CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    signup_id INTEGER REFERENCES email_signups (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    person TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    lease_until INTEGER,
    changed_at INTEGER NOT NULL,
    reason TEXT
  ) STRICT;
  CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id);
  CREATE INDEX webhook_deliveries_by_signup ON webhook_deliveries (signup_id);
  CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (webhook_id, next_attempt_at) WHERE state = 'queued';
  CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (lease_until) WHERE state = 'sending';
`;
