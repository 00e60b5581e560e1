/** Triggers keep the counts of a campaign's messages correct, regardless of which program writes. */
export const CAMPAIGN_TRIGGERS = `
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
