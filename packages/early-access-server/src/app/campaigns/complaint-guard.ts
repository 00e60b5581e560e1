import { judgeComplaints } from '../mail/complaints.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/**
 * Pauses every campaign that is being sent if too many people report our emails as spam. Other emails go on. Resolves
 * with the number of campaigns that this call paused.
 */
export async function pauseForComplaints(
  { mails, campaigns }: Pick<Store, 'mails' | 'campaigns'>,
  log: Log,
): Promise<number> {
  const { emails, complaints } = await mails.complaints();
  if (judgeComplaints({ emails, complaints }) !== 'too-high') return 0;
  const paused = await campaigns.stop();
  if (paused > 0) log('error', 'campaigns-paused-for-complaints', { campaigns: paused, emails, complaints });
  return paused;
}
