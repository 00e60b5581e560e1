/** Indexes for the list of people, and for searching parts of addresses. */
export const PEOPLE_SCHEMA = `
  CREATE INDEX signups_by_source ON email_signups (source);
  CREATE INDEX mails_failed ON mails (changed_at) WHERE state = 'failed';
  CREATE INDEX mails_unknown ON mails (changed_at) WHERE state = 'unknown';

  -- Every three characters in a row of an address, so that a search reads what matches only. secure-delete: nothing is left of an
  -- erased address.
  CREATE VIRTUAL TABLE signup_search USING fts5 (email, tokenize = 'trigram case_sensitive 1', columnsize = 0);
  INSERT INTO signup_search (signup_search, rank) VALUES ('secure-delete', 1);
  CREATE TRIGGER searched_signup_added AFTER INSERT ON email_signups BEGIN
    INSERT INTO signup_search (rowid, email) VALUES (new.id, new.email);
  END;
  CREATE TRIGGER searched_signup_removed AFTER DELETE ON email_signups BEGIN
    DELETE FROM signup_search WHERE rowid = old.id;
  END;

  -- below: signups with a lower id are not in signup_search yet. cursor_key: for the cursors of lists.
  CREATE TABLE people_state (below INTEGER NOT NULL, cursor_key BLOB NOT NULL) STRICT;
  INSERT INTO people_state SELECT coalesce(max(id) + 1, 0), randomblob(32) FROM email_signups;
`;

/** Addresses are added to the index many at once, which takes a fraction of the time of adding each with its signup. */
export const UNSEARCHED_SCHEMA = `
  -- Signups that are not in signup_search yet.
  CREATE TABLE unsearched_signups (id INTEGER PRIMARY KEY) STRICT;
  INSERT INTO unsearched_signups SELECT id FROM email_signups WHERE id < (SELECT below FROM people_state);
  ALTER TABLE people_state DROP COLUMN below;
  DROP TRIGGER searched_signup_added;
  CREATE TRIGGER searched_signup_added AFTER INSERT ON email_signups BEGIN
    INSERT INTO unsearched_signups (id) VALUES (new.id);
  END;
  CREATE TRIGGER unsearched_signup_removed AFTER DELETE ON email_signups BEGIN
    DELETE FROM unsearched_signups WHERE id = old.id;
  END;
`;
