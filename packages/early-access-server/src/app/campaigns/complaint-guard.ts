import { judgeComplaints } from '../mail/complaints.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

export interface ComplaintGuard {
  readonly store: Pick<Store, 'mails' | 'campaigns'>;
  /** The addresses of the admins who are told. */
  readonly admins: () => Promise<readonly string[]>;
  /** Called after emails were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
}

/**
 * Pauses every campaign that is being sent if too many people report our emails as spam, and tells the admins. Other
 * emails go on.
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
