import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMessage } from '../../../app/mail/message-state.ts';
import type { Store } from '../../../app/ports/store.ts';
import { postgresForFile } from '../../../fixtures/postgres.ts';
import { selectEnds } from '../../sql/claim.ts';
import { NEXT_DUE } from '../../sql/mail-queue.ts';
import { saveMessages } from '../../sql/messages.ts';
import { sql } from '../../sql/statement.ts';
import { connect } from '../connection.ts';
import { type Database, openDatabase } from '../database.ts';
import { postgresStore } from '../postgres-store.ts';
import { selectDue } from './due-messages.ts';
import { selectUse } from './mailboxes.ts';

const VICTIMS = 10_000;
/** Ten minutes past an hour. */
const NOW = Date.UTC(2026, 2, 1, 14, 10);

const postgres = postgresForFile();
let raw: pg.Client;
let store: Pick<Store, 'mails' | 'close'>;
let database: Database;

/** Many messages to one mailbox are due before the only other one. */
beforeAll(async () => {
  const url = await postgres().createDatabase();
  store = postgresStore({ url, clock: () => NOW, mailsPerHour: 100 });
  await store.mails.findNextDue();
  database = openDatabase(connect(url, 5));
  raw = new pg.Client(url);
  await raw.connect();
  await raw.query(`
    INSERT INTO early_access.email_signups (email, source, submission_id, created_at, traffic_source_id, person_id)
    SELECT 'victim+' || n || '@example.org', 'landing_page', 'submission-' || n, ${NOW}, 1, 'person-' || n
    FROM generate_series(1, ${VICTIMS}) AS n
    UNION ALL SELECT 'ada@example.org', 'landing_page', 'submission-0', ${NOW}, 1, 'person-0';
    INSERT INTO early_access.mails (signup_id, message_key, next_attempt_at, changed_at)
    SELECT id, 'key-' || id, CASE WHEN email LIKE 'victim%' THEN ${NOW - 1} ELSE ${NOW} END, ${NOW} FROM early_access.email_signups;
    INSERT INTO early_access.mailbox_attempts (message_key, mailbox, attempted_at)
    SELECT 'attempt-' || n, 'mailbox-' || n, ${NOW} FROM generate_series(1, ${VICTIMS}) AS n;
  `);
});
afterAll(async () => {
  await store.close();
  await raw.end();
  await database.close();
});

describe('a claim', () => {
  it('reads only a few rows, by indexes, however many messages wait', async () => {
    const changes = [1, 2].map((id) => ({ id, message: newMessage(`key-${id}`, NOW) }));
    const statements = [
      selectDue(NOW, 1),
      selectDue(NOW, 1, 1),
      selectEnds(NOW),
      selectUse('["mailbox"]', NOW),
      NEXT_DUE,
      saveMessages(changes),
    ];
    for (const statistics of ['none', 'new']) {
      if (statistics === 'new') await raw.query('ANALYZE');
      for (const statement of statements) {
        const plan = await database.query(sql`EXPLAIN ${statement}`);
        const steps = plan.map((row) => String(row['QUERY PLAN']));
        expect(steps).not.toEqual([]);
        expect(steps.filter((step) => /Seq Scan on (mails|email_signups|mailbox_attempts)/.test(step))).toEqual([]);
      }
    }
  });

  it('passes over messages to a full mailbox in large steps', async () => {
    const { mails } = store;
    const due = mails.due();
    const sent: string[] = [];
    for (let claims = 0; claims < VICTIMS / 50 + 10; claims += 1) {
      const message = await due.claimNext();
      if (typeof message === 'string') continue;
      sent.push(message.email);
      await mails.recordOutcome(message, { state: 'sent' });
    }
    expect(sent).toEqual(['victim+1@example.org', 'victim+2@example.org', 'victim+3@example.org', 'ada@example.org']);
    expect(await mails.findNextDue()).toBe(NOW + 86_400_000);
  });
});
