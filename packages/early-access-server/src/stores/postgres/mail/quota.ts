import { nextQuotaHour, quotaHour } from '../../../app/mail/mail-quota.ts';
import { integer } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';
import { Conflict } from '../failures.ts';

const DAY_MS = 86_400_000;

/** When the next hour's quota starts, if this hour's is spent. */
export async function quotaSpentUntil(sql: Queries, mailsPerHour: number, now: number): Promise<number | null> {
  const [row] = await sql`SELECT attempts FROM early_access.mail_hours WHERE hour = ${quotaHour(now)}`;
  const attempts = row === undefined ? 0 : integer(row, 'attempts');
  return attempts < mailsPerHour ? null : nextQuotaHour(now);
}

/**
 * Counts one attempt. Throws a `Conflict` if others have used up the quota meanwhile. Other claims wait from here on until the transaction has
 * ended, so this comes last.
 */
export async function countAttempt(tx: Transaction, quota: number, now: number): Promise<void> {
  const hour = quotaHour(now);
  const [row] = await tx`
    INSERT INTO early_access.mail_hours (hour, attempts) VALUES (${hour}, 1)
    ON CONFLICT (hour) DO UPDATE SET attempts = mail_hours.attempts + 1 WHERE mail_hours.attempts < ${quota}
    RETURNING attempts
  `;
  if (row === undefined) throw new Conflict();
  // Once an hour is enough.
  if (integer(row, 'attempts') === 1) await tx`DELETE FROM early_access.mail_hours WHERE hour < ${hour - DAY_MS}`;
}
