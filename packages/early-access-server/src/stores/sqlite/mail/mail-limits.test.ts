import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { mailboxKey } from '../../../app/lifecycle/mailbox.ts';
import { MAILBOX_SLACK_MS } from '../../../app/mail/mail-quota.ts';
import { readValue } from '../../../fixtures/read-back.ts';
import { claimNext, tempStore } from '../../../fixtures/temp-store.ts';
import { selectEnds } from '../../sql/claim.ts';
import { DIALECT } from '../run-transaction.ts';
import { type SqliteStore, sqliteStore } from '../sqlite-store.ts';
import { CLAIM_QUERIES } from './claim.ts';

const DAY_MS = 24 * HOUR_MS;
const VICTIM = 'victim@example.org';
/** Ten minutes past an hour. */
const NOW = Date.UTC(2026, 2, 1, 14, 10);

function harness(mailsPerHour?: number) {
  const clock = { now: NOW };
  const options = { clock: () => clock.now, ...(mailsPerHour && { mailsPerHour }) };
  const { store, raw, file } = tempStore(options);
  return { clock, store, raw, file, reopen: () => sqliteStore({ file, ...options }) };
}

async function signUp(store: SqliteStore, emails: readonly string[]): Promise<void> {
  await Promise.all(emails.map((email) => store.createSignup(signupOf({ email }))));
}

function tagged(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `victim+${n}@example.org`);
}

/** Queues messages to one mailbox, more than may be sent to it. */
function fillWithVictims(db: DatabaseSync, count: number): void {
  db.exec(`
    BEGIN;
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
    INSERT INTO email_signups (id, email, source, submission_id, created_at, traffic_source_id, person_id)
    SELECT n + 1, 'victim+' || n || '@example.org', 'landing_page', 'submission-' || n, ${NOW}, 1, 'person-' || n FROM numbers;
    INSERT INTO mails (signup_id, message_key, next_attempt_at, changed_at) SELECT id, 'key-' || id, ${NOW}, ${NOW} FROM email_signups;
    COMMIT;
  `);
}

/** Sends all messages that may be sent now. Returns the addresses in order. */
async function sendAll({ mails }: SqliteStore, now: number, outcome: 'sent' | 'unknown' = 'sent'): Promise<string[]> {
  const sent: string[] = [];
  for (;;) {
    const due = await mails.findNextDue();
    if (due === null || due > now || (await mails.quotaSpentUntil()) !== null) return sent;
    const mail = await claimNext(mails);
    if (mail === null) continue;
    sent.push(mail.email);
    await mails.recordOutcome(mail, outcome === 'sent' ? { state: outcome } : { state: outcome, reason: 'lost' });
  }
}

describe('the limit of a mailbox', () => {
  it('makes one claim postpone or give up 50 messages at most', async () => {
    const { store, file, raw } = harness();
    const writer = new DatabaseSync(file);
    fillWithVictims(writer, 60);
    writer.close();
    const postponed = () => readValue(raw, 'SELECT count(*) FROM mails WHERE reason IS NOT NULL');
    for (let turn = 0; turn < 3; turn += 1) expect(await claimNext(store.mails)).not.toBeNull();
    expect([await store.mails.due().claimNext(), postponed()]).toEqual(['mailbox-full', 50]);
    expect([await store.mails.due().claimNext(), postponed()]).toEqual(['nothing', 57]);
  });

  it('does not slow down claims, however many messages wait: every query uses an index', async () => {
    const { store, raw, file, clock } = harness();
    const writer = new DatabaseSync(file);
    fillWithVictims(writer, 2_000);
    // All but a few are planned already, as on an idle server.
    writer.exec(`
      UPDATE mails SET mailbox = '${mailboxKey(VICTIM)}', next_attempt_at = ${NOW} + signup_id * ${DAY_MS / 3}
      WHERE signup_id > 40
    `);
    writer.close();
    await signUp(store, ['ada@example.org']);
    expect(await sendAll(store, clock.now)).toEqual([...tagged(3), 'ada@example.org']);
    expect(readValue(raw, "SELECT count(*) FROM mails WHERE state = 'failed'")).toBe(37);
    const explain = (sql: string) =>
      raw
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail));
    for (const sql of Object.values(CLAIM_QUERIES)) {
      const plan = explain(sql);
      expect(plan).not.toEqual([]);
      expect(plan.filter((step) => !/^SEARCH \w+ USING (INTEGER PRIMARY KEY|(COVERING )?INDEX)/.test(step))).toEqual(
        [],
      );
    }
    // The search for another domain reads the ends of the queue, and sorts no more than what it has found.
    const search = explain(DIALECT.build(selectEnds(NOW), []));
    expect(search.filter((step) => step.startsWith('SEARCH mails USING INDEX mails_queued'))).toHaveLength(4);
    expect(search.filter((step) => /^SCAN (?:mails|signup)\b/.test(step))).toEqual([]);
  });

  it('stores the mailbox as a hash, which outlives the person until it no longer counts', async () => {
    const { store, clock, raw } = harness();
    await signUp(store, tagged(1));
    await sendAll(store, clock.now);
    await store.erase('victim+0@example.org');
    expect(readValue(raw, 'SELECT count(*) FROM mails')).toBe(0);
    clock.now = NOW + DAY_MS + MAILBOX_SLACK_MS - 1;
    await store.mails.expireLeases();
    expect(readValue(raw, 'SELECT mailbox FROM mailbox_attempts')).toBe(mailboxKey(VICTIM));
    clock.now += 1;
    await store.mails.expireLeases();
    expect(readValue(raw, 'SELECT count(*) FROM mailbox_attempts')).toBe(0);
  });
});

describe('the mail quota', () => {
  it('is 200 by default', async () => {
    const { store, clock } = harness();
    await signUp(
      store,
      Array.from({ length: 201 }, (_, n) => `person-${n}@example.org`),
    );
    expect(await sendAll(store, clock.now)).toHaveLength(200);
  });

  it('deletes counts of past hours', async () => {
    const { store, clock, raw } = harness();
    for (let hour = 0; hour < 5; hour += 1) {
      await signUp(store, [`person-${hour}@example.org`]);
      await sendAll(store, clock.now);
      clock.now += 3 * DAY_MS;
    }
    expect(readValue(raw, 'SELECT count(*) FROM mail_hours')).toBe(1);
  });
});
