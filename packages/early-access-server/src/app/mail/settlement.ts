import type { DeliveryResult } from '../../mail/transport.ts';
import { MAX_ATTEMPTS, retryDelay } from './retry.ts';

/** What became of an attempt. `retryAt`, in epoch milliseconds, for a refusal that is worth another attempt. */
export type Settlement =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly retryAt: number; readonly reason: string }
  | { readonly state: 'failed' | 'unknown'; readonly reason: string };

/** What is kept about an attempt that ended so; `attempts` counts it. */
export function settle(result: DeliveryResult, attempts: number, now: number): Settlement {
  if (result.outcome === 'sent') return { state: 'sent' };
  const { reason } = result;
  if (result.outcome === 'unknown') return { state: 'unknown', reason };
  if (result.permanent || attempts >= MAX_ATTEMPTS) return { state: 'failed', reason };
  return { state: 'queued', retryAt: now + retryDelay(attempts), reason };
}
