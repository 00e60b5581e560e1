/** The index for searching parts of addresses. */
export const SEARCH_SCHEMA = `
  -- Every three characters in a row of an address, so that a search reads what matches only. secure-delete: nothing is left of an
  -- erased address.
  CREATE VIRTUAL TABLE signup_search USING fts5 (email, tokenize = 'trigram case_sensitive 1', columnsize = 0);
  INSERT INTO signup_search (signup_search, rank) VALUES ('secure-delete', 1);

  -- Signups that are not in signup_search yet: adding many addresses at once takes a fraction of the time of adding each with its signup.
  CREATE TABLE unsearched_signups (id INTEGER PRIMARY KEY) STRICT;
  CREATE TRIGGER searched_signup_added AFTER INSERT ON email_signups BEGIN
    INSERT INTO unsearched_signups (id) VALUES (new.id);
  END;
  CREATE TRIGGER searched_signup_corrected AFTER UPDATE OF email ON email_signups BEGIN
    DELETE FROM signup_search WHERE rowid = old.id;
    INSERT OR IGNORE INTO unsearched_signups (id) VALUES (new.id);
  END;
  CREATE TRIGGER searched_signup_removed AFTER DELETE ON email_signups BEGIN
    DELETE FROM signup_search WHERE rowid = old.id;
    DELETE FROM unsearched_signups WHERE id = old.id;
  END;
`;

/** A later step: the index also contains field values. */
export const SEARCHED_FIELDS = `
  DROP TABLE signup_search;
  -- entered: the JSON of the values, with small letters for A to Z.
  CREATE VIRTUAL TABLE signup_search USING fts5 (email, entered, tokenize = 'trigram case_sensitive 1', columnsize = 0);
  INSERT INTO signup_search (signup_search, rank) VALUES ('secure-delete', 1);
  INSERT OR IGNORE INTO unsearched_signups (id) SELECT id FROM email_signups;
  DROP TRIGGER searched_signup_corrected;
  CREATE TRIGGER searched_signup_corrected AFTER UPDATE OF email, fields ON email_signups BEGIN
    DELETE FROM signup_search WHERE rowid = old.id;
    INSERT OR IGNORE INTO unsearched_signups (id) VALUES (new.id);
  END;
`;
