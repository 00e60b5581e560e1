/** Campaigns, and how many of their messages are in which state. Triggers keep these numbers right for every writer. */
export const CAMPAIGN_SCHEMA = `
  -- states: JSON. position: people with this or a lower id have been queued or passed over. last_id: the newest person when it was started.
  -- revision: identifies the text.
  -- pending: messages that are queued or being sent.
  CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    states TEXT NOT NULL,
    source TEXT,
    revision TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sending', 'paused', 'done', 'cancelled')),
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    people INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL DEFAULT 0,
    last_id INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    unknown INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX campaigns_sending ON campaigns (id) WHERE state = 'sending';

  CREATE TRIGGER campaign_message_added AFTER INSERT ON mails WHEN new.campaign_id IS NOT NULL BEGIN
    UPDATE campaigns SET pending = pending + 1 WHERE id = new.campaign_id;
  END;
  CREATE TRIGGER campaign_message_changed AFTER UPDATE OF state ON mails
  WHEN new.campaign_id IS NOT NULL AND new.state <> old.state BEGIN
    UPDATE campaigns SET
      pending = pending + (new.state IN ('queued', 'sending')) - (old.state IN ('queued', 'sending')),
      sent = sent + (new.state = 'sent') - (old.state = 'sent'),
      failed = failed + (new.state = 'failed') - (old.state = 'failed'),
      unknown = unknown + (new.state = 'unknown') - (old.state = 'unknown')
    WHERE id = new.campaign_id;
  END;
  CREATE TRIGGER campaign_message_removed AFTER DELETE ON mails
  WHEN old.campaign_id IS NOT NULL AND old.state IN ('queued', 'sending') BEGIN
    UPDATE campaigns SET pending = pending - 1 WHERE id = old.campaign_id;
  END;
`;
