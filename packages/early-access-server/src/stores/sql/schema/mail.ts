export const MAIL_TABLES = `
  -- signup_id: null for a notice to an admin. recipient: the address, unless it is the person's: that of an admin or of a correction, which is
  -- deleted once it is confirmed. wave_id: of the wave that an invitation belongs to. data: JSON, what only this message says. mailbox: SHA-256 of
  -- the mailbox, null until the message is first looked at. unsubscribed, complained, joined: whether the campaign counts that of the person.
  CREATE TABLE @mails (
    id #id,
    signup_id #bigint REFERENCES @email_signups (id) ON DELETE CASCADE,
    recipient text,
    kind text NOT NULL DEFAULT 'welcome',
    campaign_id #bigint,
    wave_id #bigint,
    data text,
    message_key text NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at #bigint NOT NULL,
    lease_until #bigint,
    changed_at #bigint NOT NULL,
    reason text,
    mailbox text,
    unsubscribed integer NOT NULL DEFAULT 0,
    complained integer NOT NULL DEFAULT 0,
    joined integer NOT NULL DEFAULT 0,
    CHECK (signup_id IS NOT NULL OR recipient IS NOT NULL)
  ) #rows;
  CREATE INDEX mails_by_signup ON @mails (signup_id#andId);
  CREATE UNIQUE INDEX mails_by_campaign ON @mails (campaign_id, signup_id) WHERE campaign_id IS NOT NULL;
  CREATE INDEX mails_by_wave ON @mails (wave_id, state) WHERE wave_id IS NOT NULL;
  CREATE INDEX mails_queued ON @mails (next_attempt_at#andId) WHERE state = 'queued' AND campaign_id IS NULL;
  CREATE INDEX mails_queued_of_campaigns ON @mails (next_attempt_at#andId) WHERE state = 'queued' AND campaign_id IS NOT NULL;
  CREATE INDEX mails_queued_by_campaign ON @mails (campaign_id) WHERE state = 'queued' AND campaign_id IS NOT NULL;
  CREATE INDEX mails_sending ON @mails (lease_until) WHERE state = 'sending';
  CREATE INDEX mails_failed ON @mails (changed_at) WHERE state = 'failed';
  CREATE INDEX mails_unknown ON @mails (changed_at) WHERE state = 'unknown';
  CREATE INDEX mails_corrections ON @mails (changed_at) WHERE kind = 'correction';
  CREATE INDEX mails_planned ON @mails (mailbox, next_attempt_at) WHERE state = 'queued' AND mailbox IS NOT NULL;

  -- When a message to a mailbox was last attempted. Outlives the message and its person for as long as it counts for the mailbox.
  -- mailbox: SHA-256 of it.
  CREATE TABLE @mailbox_attempts (message_key #key PRIMARY KEY, mailbox text NOT NULL, attempted_at #bigint NOT NULL) #keyed;
  CREATE INDEX mailbox_attempts_by_mailbox ON @mailbox_attempts (mailbox, attempted_at);
  CREATE INDEX mailbox_attempts_by_time ON @mailbox_attempts (attempted_at);

  -- hour: when it starts, in epoch milliseconds; attempts: deliveries begun in it.
  CREATE TABLE @mail_hours (hour #bigint PRIMARY KEY, attempts #bigint NOT NULL) #rows;

  -- One row at most: the pause of the queue, as JSON.
  CREATE TABLE @mail_pause (id #bigint PRIMARY KEY CHECK (id = 1), data text NOT NULL) #rows;

  -- states, conditions: JSON. position: people with this or a lower id have been queued or passed over. last_id: the newest person when it was started.
  -- revision: identifies the text. scheduled_at: null for a follow-up until it starts, after_days after the end of the campaign it follows.
  -- pending: messages that are queued or being sent. Triggers keep the numbers of messages right, whichever program writes.
  CREATE TABLE @campaigns (
    id #uniqueId,
    subject text NOT NULL,
    body text NOT NULL,
    states text NOT NULL,
    source text,
    conditions text,
    revision text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled')),
    created_at #bigint NOT NULL,
    scheduled_at #bigint,
    time_zone text,
    follows #bigint,
    after_days integer,
    started_at #bigint,
    ended_at #bigint,
    people #bigint NOT NULL DEFAULT 0,
    position #bigint NOT NULL DEFAULT 0,
    last_id #bigint NOT NULL DEFAULT 0,
    pending #bigint NOT NULL DEFAULT 0,
    sent #bigint NOT NULL DEFAULT 0,
    failed #bigint NOT NULL DEFAULT 0,
    unknown #bigint NOT NULL DEFAULT 0,
    unsubscribed #bigint NOT NULL DEFAULT 0,
    complained #bigint NOT NULL DEFAULT 0,
    joined #bigint NOT NULL DEFAULT 0
  ) #rows;
  CREATE UNIQUE INDEX campaigns_by_followed ON @campaigns (follows) WHERE follows IS NOT NULL;
  CREATE INDEX campaigns_scheduled ON @campaigns (id) WHERE state = 'scheduled';
  CREATE INDEX campaigns_sending ON @campaigns (id) WHERE state = 'sending';
`;
