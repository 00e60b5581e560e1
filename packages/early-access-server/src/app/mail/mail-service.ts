import { describeError } from '../ports/log.ts';
import type { Claim, ClaimedMessage, DueMessages } from '../ports/store.ts';
import { type DeliveryOptions, deliverMessage } from './deliver-message.ts';
import { MAILBOX_FULL_REASON } from './mail-quota.ts';
import type { MailState } from './message-state.ts';

const CONCURRENCY = 4;
/**
 * After this many messages in a row that could not be claimed or were deferred, the remaining messages wait for the
 * next run.
 */
const MAX_DEFERRED = 2 * CONCURRENCY;

/** The state that an attempt ended in, or why there was none. */
type DeliveryState = Exclude<MailState, 'sending'> | Exclude<Claim, ClaimedMessage>;

/** Sends emails where no process runs for long: in functions and from a cron job. `startMailWorker` is for servers. */
export interface MailService {
  /** Delivers a claimed message, or logs why none could be claimed. */
  deliver(claim: Claim): Promise<DeliveryState>;
  /**
   * Expires leases that ended, then sends what is due until nothing is left, the quota is spent, the queue is paused,
   * or nothing can be claimed or sent. Begins no delivery once `mayBegin` returns false. Runs may overlap. Rejects if
   * the store cannot expire the leases.
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

  /** One message that cannot be claimed does not hold up the others. Like a deferred message, it is queued again. */
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
          // During a pause another call may be trying one message: the call continues if that is accepted.
          if (state === 'nothing' || state === 'paused') return;
          // A message that waits for its mailbox says nothing about the mail server.
          if (state !== 'mailbox-full') deferred = state === 'queued' ? deferred + 1 : 0;
          if (state === 'quota-spent' || deferred >= MAX_DEFERRED) isOpen = false;
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    },
  };
}
