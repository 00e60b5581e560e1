/** People with their states, their invitations and the links in their emails. */
export const LIST_SCHEMA = `
  -- person_id: the public id, random. fields: the values of the host's own fields, as JSON; null if there are none. touch_id: what the
  -- signup counts as, see the sums of analytics; null if an import added the person. bounced_from: the state in which the address bounced. was_unsubscribed: whether the person
  -- had unsubscribed before this signup.
  CREATE TABLE email_signups (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    session_id TEXT,
    source TEXT NOT NULL,
    referrer TEXT,
    submission_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    page_url TEXT,
    utm_source TEXT,
    utm_medium TEXT,
    utm_campaign TEXT,
    utm_term TEXT,
    utm_content TEXT,
    fields TEXT,
    touch_id INTEGER,
    state TEXT NOT NULL DEFAULT 'subscribed'
      CHECK (state IN ('pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced')),
    bounced_from TEXT,
    wave_id INTEGER REFERENCES invite_waves (id),
    person_id TEXT NOT NULL UNIQUE,
    was_unsubscribed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX signups_by_age ON email_signups (created_at);
  CREATE INDEX signups_by_state ON email_signups (state, created_at);
  CREATE INDEX signups_by_source ON email_signups (source);
  CREATE INDEX signups_by_session ON email_signups (session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX signups_by_wave ON email_signups (wave_id) WHERE wave_id IS NOT NULL;
  CREATE INDEX signups_counted ON email_signups (created_at, touch_id) WHERE touch_id IS NOT NULL;

  -- signups: rows of email_signups, because counting a million rows takes longer than a request may. cursor_key: for the cursors of lists.
  -- pruned_until: older sessions are deleted, and only their sums are left. is_pruning: sums are not changed by what is deleted now.
  CREATE TABLE totals (
    signups INTEGER NOT NULL,
    cursor_key BLOB NOT NULL,
    pruned_until INTEGER NOT NULL DEFAULT 0,
    is_pruning INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO totals (signups, cursor_key) VALUES (0, randomblob(32));
  CREATE TRIGGER signup_added AFTER INSERT ON email_signups BEGIN UPDATE totals SET signups = signups + 1; END;
  CREATE TRIGGER signup_removed AFTER DELETE ON email_signups BEGIN UPDATE totals SET signups = signups - 1; END;

  -- people: how many were invited; some may have been erased since.
  CREATE TABLE invite_waves (id INTEGER PRIMARY KEY AUTOINCREMENT, created_at INTEGER NOT NULL, people INTEGER NOT NULL) STRICT;

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
