import { judgeComplaints } from '../mail/complaints.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

export interface ComplaintGuard {
  readonly store: Pick<Store, 'mails' | 'campaigns'>;
  /** The addresses of the admins to notify. */
  readonly admins: () => Promise<readonly string[]>;
  /** Called after emails were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
}

/**
 * If too many people report our emails as spam, pauses every campaign that is being sent and notifies the admins. Other
 * emails are still sent.
 */
export async function pauseForComplaints({ store, admins, wakeMail, log }: ComplaintGuard): Promise<void> {
  const { mails, campaigns } = store;
  const counts = await mails.complaints();
  if (judgeComplaints(counts) !== 'too-high') return;
  const paused = await campaigns.stop(await admins(), { type: 'campaigns-paused', ...counts });
  if (paused === 0) return;
  const { emails, complaints } = counts;
  log('error', 'campaigns-paused-for-complaints', { campaigns: paused, emails, complaints });
  wakeMail();
}
