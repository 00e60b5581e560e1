import type { Claim } from '../../stores/store.ts';
import { within } from '../background.ts';
import { reasonOf } from '../ports.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { type DeliveryOptions, deliverMessage } from './deliver-message.ts';
import { wakeSignal } from './wake-signal.ts';

/** How often the queue is read without a wake: another process may have queued something. */
const LOOK_INTERVAL_MS = 5_000;
/** How often recording an outcome is retried while the database refuses it. */
const RECORD_INTERVAL_MS = 1_000;
/** How long to wait for the outcome of a delivery that was cut off. */
const CUT_OFF_MS = 1_000;

export interface MailWorkerOptions extends DeliveryOptions {
  /** Deliveries at the same time. */
  readonly concurrency?: number;
}

/** Sends what is queued in the store, for as long as the process runs. */
export interface MailWorker {
  /** Reads the queue now. */
  wake(): void;
  /** Claims no more messages and waits at most `withinMs` for deliveries in progress. Those that take longer end as `unknown`. */
  stop(withinMs: number): Promise<void>;
}

export function startMailWorker({ concurrency = 4, ...options }: MailWorkerOptions): MailWorker {
  const { queue, transport, log, clock = Date.now } = options;
  const signal = wakeSignal();
  const server = circuitBreaker();
  let isOpen = true;
  let due = queue.due();
  /** Messages that are being claimed or delivered. */
  let inProgress = 0;
  /** Why the store failed last, until it works again. */
  let failure: string | null = null;
  /** End of the hour for which a spent quota was logged. */
  let spentUntilLogged = 0;

  async function work(): Promise<void> {
    while (isOpen) {
      const seen = signal.count;
      const waitMs = await look();
      if (waitMs > 0) await signal.wait(seen, waitMs);
    }
  }

  /** Delivers the next message, if there is one. Returns the milliseconds until it makes sense to look again. */
  async function look(): Promise<number> {
    try {
      const expired = await queue.expireLeases();
      if (expired > 0) log('warn', 'mail-unknown', { mails: expired, reason: 'the sending process ended' });
      const dueAt = (await queue.nextDueAt()) ?? Number.POSITIVE_INFINITY;
      const spentUntil = await queue.quotaSpentUntil();
      // From here to the claim nothing is awaited, so that a probe is the only message in progress.
      const now = clock();
      const waitMs = Math.max(dueAt - now, server.pauseLeft(now));
      if (waitMs > 0) return Math.min(LOOK_INTERVAL_MS, waitMs);
      if (spentUntil !== null) {
        if (spentUntil !== spentUntilLogged) log('warn', 'mail-quota-spent');
        spentUntilLogged = spentUntil;
        return Math.min(LOOK_INTERVAL_MS, spentUntil - now);
      }
      if (server.isProbing && inProgress > 0) return LOOK_INTERVAL_MS;
      inProgress += 1;
      try {
        return await deliver(await due.claimNext());
      } finally {
        inProgress -= 1;
      }
    } catch (error) {
      failed(error);
      return LOOK_INTERVAL_MS;
    }
  }

  async function deliver(claim: Claim): Promise<number> {
    recovered();
    if (claim === 'nothing') due = queue.due();
    if (claim === 'quota-spent') return LOOK_INTERVAL_MS;
    // Another worker or process was faster, or messages to full mailboxes were postponed.
    if (typeof claim === 'string') return 0;
    const wasProbing = server.isProbing;
    await deliverMessage(claim, options, {
      onResult: (result) => server.note(result, clock()),
      /** Retried, because a deferred message that stays `sending` would become `unknown` and would never be sent. */
      async onRecordError(error) {
        failed(error);
        if (!isOpen) return false;
        await signal.wait(signal.count, RECORD_INTERVAL_MS);
        return true;
      },
    });
    if (isOpen) recovered();
    // Workers that waited for the probe can go on.
    if (wasProbing && !server.isProbing) signal.wake();
    return 0;
  }

  /** Logs a failing database once, however often it is retried. */
  function failed(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== failure) log('error', 'mail-queue-failed', { reason });
    failure = reason;
  }

  function recovered(): void {
    if (failure !== null) log('info', 'mail-queue-recovered');
    failure = null;
  }

  const running = Promise.all(Array.from({ length: concurrency }, work));

  return {
    wake: () => signal.wake(),
    async stop(withinMs) {
      isOpen = false;
      signal.wake();
      await within(withinMs, running);
      // Cuts off deliveries in progress; their outcome is recorded too.
      await transport.close();
      await within(Math.min(CUT_OFF_MS, withinMs), running);
    },
  };
}
