import { afterEach } from '../triggers.ts';

const IN_STATES = {
  pending: "('queued', 'sending')",
  sent: "('sent')",
  failed: "('failed')",
  unknown: "('unknown')",
} as const;
type Count = keyof typeof IN_STATES;

function add(counts: readonly Count[]): string {
  return `UPDATE early_access.campaigns SET ${counts.map((count) => `${count} = campaigns.${count} + added.${count}`).join(', ')}
      FROM (
        SELECT campaign_id, ${counts.map((count) => `sum(sign * (state IN ${IN_STATES[count]})::int)::bigint AS ${count}`).join(', ')}
        FROM changes WHERE campaign_id IS NOT NULL GROUP BY campaign_id
      ) AS added
      WHERE campaigns.id = campaign_id AND (${counts.map((count) => `added.${count} <> 0`).join(' OR ')})`;
}

/**
 * Triggers keep the counts consistent with the messages, regardless of which program writes. Messages that were sent to
 * an erased person still count.
 */
export const CAMPAIGN_TRIGGERS = [
  afterEach('mails', ['insert', 'update'], [add(['pending', 'sent', 'failed', 'unknown'])]),
  afterEach('mails', ['delete'], [add(['pending'])]),
].join('\n');
