/** The mail queue, with several messages for each person, and the limits of mailboxes. */
export const MAIL_SCHEMA = `
  -- signup_id: null for a notice to an admin, whose address is the recipient. data: JSON, what only this message says. mailbox: SHA-256 of
  -- the mailbox, null until the message is first looked at.
  CREATE TABLE mails (
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
    CHECK ((signup_id IS NULL) <> (recipient IS NULL))
  ) STRICT;
  CREATE INDEX mails_by_signup ON mails (signup_id);
  CREATE UNIQUE INDEX mails_by_campaign ON mails (campaign_id, signup_id) WHERE campaign_id IS NOT NULL;
  CREATE INDEX mails_queued ON mails (next_attempt_at) WHERE state = 'queued' AND campaign_id IS NULL;
  CREATE INDEX mails_queued_of_campaigns ON mails (next_attempt_at) WHERE state = 'queued' AND campaign_id IS NOT NULL;
  CREATE INDEX mails_queued_by_campaign ON mails (campaign_id) WHERE state = 'queued' AND campaign_id IS NOT NULL;
  CREATE INDEX mails_sending ON mails (lease_until) WHERE state = 'sending';
  CREATE INDEX mails_failed ON mails (changed_at) WHERE state = 'failed';
  CREATE INDEX mails_unknown ON mails (changed_at) WHERE state = 'unknown';
  CREATE INDEX mails_planned ON mails (mailbox, next_attempt_at) WHERE state = 'queued';

  -- When a message to a mailbox was last attempted. Outlives the message and its person for as long as it counts for the mailbox.
  -- mailbox: SHA-256 of it.
  CREATE TABLE mailbox_attempts (message_key TEXT PRIMARY KEY, mailbox TEXT NOT NULL, attempted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX mailbox_attempts_by_mailbox ON mailbox_attempts (mailbox, attempted_at);
  CREATE INDEX mailbox_attempts_by_time ON mailbox_attempts (attempted_at);

  -- hour: when it starts, in epoch milliseconds; attempts: deliveries begun in it.
  CREATE TABLE mail_hours (hour INTEGER PRIMARY KEY, attempts INTEGER NOT NULL) STRICT;

  -- One row at most: the pause of the queue, as JSON.
  CREATE TABLE mail_pause (id INTEGER PRIMARY KEY CHECK (id = 1), data TEXT NOT NULL) STRICT;
`;
