/** The states of people, and a mail queue with several messages for each. */
export const LIST_SCHEMA = `
  -- bounced_from: the state in which the address bounced.
  ALTER TABLE email_signups ADD COLUMN state TEXT NOT NULL DEFAULT 'subscribed'
    CHECK (state IN ('pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced'));
  ALTER TABLE email_signups ADD COLUMN bounced_from TEXT;
  ALTER TABLE email_signups ADD COLUMN wave_id INTEGER REFERENCES invite_waves (id);
  CREATE INDEX signups_by_state ON email_signups (state, created_at);
  CREATE INDEX signups_by_age ON email_signups (created_at);
  CREATE INDEX signups_by_wave ON email_signups (wave_id) WHERE wave_id IS NOT NULL;

  -- people: how many were invited; some may have been erased since.
  CREATE TABLE invite_waves (id INTEGER PRIMARY KEY AUTOINCREMENT, created_at INTEGER NOT NULL, people INTEGER NOT NULL) STRICT;

  -- signup_id: null for a notice to an admin, whose address is the recipient. data: JSON, what only this message says.
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    signup_id INTEGER REFERENCES email_signups (id) ON DELETE CASCADE,
    recipient TEXT,
    kind TEXT NOT NULL DEFAULT 'welcome',
    campaign_id INTEGER,
    data TEXT,
    message_key TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    lease_until INTEGER,
    changed_at INTEGER NOT NULL,
    reason TEXT,
    mailbox TEXT,
    attempted_at INTEGER,
    CHECK ((signup_id IS NULL) <> (recipient IS NULL))
  ) STRICT;
  INSERT INTO messages (id, signup_id, message_key, state, attempts, next_attempt_at, lease_until, changed_at, reason, mailbox, attempted_at)
    SELECT signup_id, signup_id, message_key, state, attempts, next_attempt_at, lease_until, changed_at, reason, mailbox, attempted_at
    FROM mails ORDER BY signup_id;
  DROP TABLE mails;
  ALTER TABLE messages RENAME TO mails;
  CREATE INDEX mails_by_signup ON mails (signup_id);
  CREATE UNIQUE INDEX mails_by_campaign ON mails (campaign_id, signup_id) WHERE campaign_id IS NOT NULL;
  CREATE INDEX mails_queued ON mails (next_attempt_at) WHERE state = 'queued' AND campaign_id IS NULL;
  CREATE INDEX mails_queued_of_campaigns ON mails (next_attempt_at) WHERE state = 'queued' AND campaign_id IS NOT NULL;
  CREATE INDEX mails_sending ON mails (lease_until) WHERE state = 'sending';
  CREATE INDEX mails_failed ON mails (changed_at) WHERE state = 'failed';
  CREATE INDEX mails_unknown ON mails (changed_at) WHERE state = 'unknown';
  CREATE INDEX mails_attempted ON mails (mailbox, attempted_at) WHERE attempted_at IS NOT NULL;
  CREATE INDEX mails_planned ON mails (mailbox, next_attempt_at) WHERE state = 'queued';

  -- Links in emails. hash: SHA-256 of the token, in hexadecimal.
  CREATE TABLE person_tokens (
    hash TEXT PRIMARY KEY,
    signup_id INTEGER NOT NULL REFERENCES email_signups (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX person_tokens_by_signup ON person_tokens (signup_id);
`;
