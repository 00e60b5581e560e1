import { describeError } from '../ports/log.ts';
import type { Claim, ClaimedMessage, DueMessages } from '../ports/store.ts';
import { type DeliveryOptions, deliverMessage } from './deliver-message.ts';
import { MAILBOX_FULL_REASON } from './mail-quota.ts';
import type { MailState } from './message-state.ts';

const CONCURRENCY = 4;
/** After this many consecutive messages that could not be claimed or were deferred, the rest waits for the next run. */
const MAX_DEFERRED = 2 * CONCURRENCY;

/** The state after an attempt, or why there was no attempt. */
type DeliveryState = Exclude<MailState, 'sending'> | Exclude<Claim, ClaimedMessage>;

/** Sends emails where no process is long-lived: in functions and cron jobs. Servers use `startMailWorker`. */
export interface MailService {
  /** Delivers a claimed message, or logs why none could be claimed. */
  deliver(claim: Claim): Promise<DeliveryState>;
  /**
   * Expires old leases, then sends due messages until none is left, the quota is spent, the queue is paused, or nothing
   * can be claimed or sent. Starts no delivery once `mayBegin` returns false. Runs may overlap. Rejects if the store
   * cannot expire the leases.
   */
  runDue(mayBegin: () => boolean): Promise<void>;
}

export function mailService(options: DeliveryOptions): MailService {
  const { queue, log } = options;

  async function deliver(claim: Claim): Promise<DeliveryState> {
    if (claim === 'quota-spent') log('warn', 'mail-quota-spent');
    if (claim === 'paused') log('warn', 'mail-paused');
    if (claim === 'mailbox-full') log('info', 'mail-postponed', { reason: MAILBOX_FULL_REASON });
    if (typeof claim === 'string') return claim;
    return deliverMessage(claim, options, {
      onRecordError(error) {
        log('error', 'mail-outcome-not-recorded', { message_key: claim.messageKey, reason: describeError(error) });
        return false;
      },
    });
  }

  /** A message that cannot be claimed does not block the others. It is queued again, like a deferred one. */
  async function deliverNext(due: DueMessages): Promise<DeliveryState> {
    let claim: Claim;
    try {
      claim = await due.claimNext();
    } catch (error) {
      log('error', 'mail-not-claimed', { reason: describeError(error) });
      return 'queued';
    }
    return deliver(claim);
  }

  return {
    deliver,
    async runDue(mayBegin) {
      const expired = await queue.expireLeases();
      if (expired > 0) log('warn', 'mail-unknown', { mails: expired, reason: 'the sending process ended' });
      const due = queue.due();
      let isOpen = true;
      let deferred = 0;
      async function work(): Promise<void> {
        while (isOpen && mayBegin()) {
          const state = await deliverNext(due);
          // Paused: another run may be probing the server, and continues if that succeeds.
          if (state === 'nothing' || state === 'paused') return;
          // A full mailbox says nothing about the mail server.
          if (state !== 'mailbox-full') deferred = state === 'queued' ? deferred + 1 : 0;
          if (state === 'quota-spent' || deferred >= MAX_DEFERRED) isOpen = false;
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    },
  };
}
