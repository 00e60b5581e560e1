import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { AnalyticsSummary, SessionRecord } from 'early-access-kit/core';
import { PERSON_STATES, type PersonState } from '../../packages/early-access-server/src/app/lifecycle/states.ts';
import { toSession } from '../../packages/early-access-server/src/stores/sql/record-rows.ts';
import {
  integer,
  integerOrNull,
  readChoice,
  text,
  textOrNull,
} from '../../packages/early-access-server/src/stores/sql/row.ts';
import { readSummary } from '../../packages/early-access-server/src/stores/sql/summary.ts';
import { transactionRunner } from '../../packages/early-access-server/src/stores/sqlite/run-transaction.ts';
import type { World } from './world.ts';

interface StoredPerson {
  readonly id: number;
  readonly email: string;
  readonly submissionId: string;
  readonly sessionId: string | null;
  readonly createdAt: number;
  readonly state: PersonState;
}

interface StoredMessage {
  /** Null for a notice to an admin. */
  readonly signupId: number | null;
  readonly campaignId: number | null;
  readonly kind: string;
  readonly messageKey: string;
  readonly state: string;
}

/** The contents of the database file. */
export interface Stored {
  readonly people: readonly StoredPerson[];
  readonly sessions: readonly SessionRecord[];
  readonly messages: readonly StoredMessage[];
  readonly events: readonly { readonly signupId: number | null; readonly type: string }[];
  readonly unsentEvents: number;
  readonly campaigns: readonly { readonly id: number; readonly pending: number; readonly isSending: boolean }[];
  /** Number of rows of people who are not stored. */
  readonly orphans: number;
  /** The webhook receiver was disabled after a day of failures. */
  readonly isDisabled: boolean;
  /** The summary computed from the stored sums. */
  readonly summary: AnalyticsSummary;
}

const ORPHANS = ['mails', 'person_tokens', 'webhook_deliveries']
  .map(
    (table) =>
      `(SELECT count(*) FROM ${table} WHERE signup_id IS NOT NULL AND signup_id NOT IN (SELECT id FROM email_signups))`,
  )
  .join(' + ');

function prepareAll(db: DatabaseSync) {
  return {
    run: transactionRunner(db),
    version: db.prepare('PRAGMA data_version'),
    people: db.prepare('SELECT id, email, submission_id, session_id, created_at, state FROM email_signups'),
    sessions: db.prepare('SELECT * FROM sessions'),
    messages: db.prepare('SELECT signup_id, campaign_id, kind, message_key, state FROM mails'),
    events: db.prepare('SELECT signup_id, type FROM webhook_deliveries'),
    campaigns: db.prepare("SELECT id, pending, state = 'sending' AS sending FROM campaigns"),
    orphans: db.prepare(
      `SELECT ${ORPHANS} AS rows,
        (SELECT count(*) FROM webhook_deliveries WHERE state IN ('queued', 'sending')) AS unsent, EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NOT NULL) AS disabled`,
    ),
  };
}

/** Reads the file directly instead of through a store. Returns the same object until something is written. */
export function reader(world: World): () => Stored {
  let db: DatabaseSync | null = null;
  let statements: ReturnType<typeof prepareAll> | null = null;
  let version = -1;
  let stored: Stored | null = null;

  return () => {
    const { raw } = world;
    if (raw !== db || statements === null) {
      db = raw;
      statements = prepareAll(raw);
      stored = null;
    }
    const now = integer(statements.version.get(), 'data_version');
    if (stored !== null && version === now) return stored;
    version = now;
    const counts = statements.orphans.get();
    stored = {
      people: statements.people.all().map((row) => ({
        id: integer(row, 'id'),
        email: text(row, 'email'),
        submissionId: text(row, 'submission_id'),
        sessionId: textOrNull(row, 'session_id'),
        createdAt: integer(row, 'created_at'),
        state: readChoice(row, 'state', PERSON_STATES),
      })),
      sessions: statements.sessions.all().map(toSession),
      messages: statements.messages.all().map((row) => ({
        signupId: integerOrNull(row, 'signup_id'),
        campaignId: integerOrNull(row, 'campaign_id'),
        kind: text(row, 'kind'),
        messageKey: text(row, 'message_key'),
        state: text(row, 'state'),
      })),
      events: statements.events.all().map((row) => ({
        signupId: integerOrNull(row, 'signup_id'),
        type: text(row, 'type'),
      })),
      campaigns: statements.campaigns.all().map((row) => ({
        id: integer(row, 'id'),
        pending: integer(row, 'pending'),
        isSending: integer(row, 'sending') === 1,
      })),
      unsentEvents: integer(counts, 'unsent'),
      orphans: integer(counts, 'rows'),
      isDisabled: integer(counts, 'disabled') === 1,
      summary: statements.run(readSummary(world.time.now)),
    };
    return stored;
  };
}

/** Returns whether the database file or its WAL contains the text. */
export function isInFile(file: string, sought: string): boolean {
  return [file, `${file}-wal`].some((each) => {
    try {
      return readFileSync(each).includes(sought);
    } catch {
      return false;
    }
  });
}
