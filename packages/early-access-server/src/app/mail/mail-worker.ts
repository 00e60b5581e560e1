import { within } from '../jobs/background.ts';
import { domainKey } from '../lifecycle/mailbox.ts';
import type { Clock } from '../ports/clock.ts';
import { describeError } from '../ports/log.ts';
import type { Claim, DueMessages } from '../ports/store.ts';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';
import { type DeliveryOptions, deliverMessage } from './deliver-message.ts';
import { type WakeSignal, wakeSignal } from './wake-signal.ts';

/** How often the queue is read without a wake, because other processes may queue messages. */
const LOOK_INTERVAL_MS = 5_000;
/** How often recording an outcome is retried while the database rejects it. */
const RECORD_INTERVAL_MS = 1_000;
/** How long to wait for the outcome of an aborted delivery. */
const CUT_OFF_MS = 1_000;

export interface MailWorkerOptions extends DeliveryOptions {
  readonly concurrency?: number;
}

/** Sends queued messages for as long as the process runs. */
export interface MailWorker {
  wake(): void;
  /** Claims no more messages, and waits at most `withinMs` for deliveries in progress. Slower ones end as `unknown`. */
  stop(withinMs: number): Promise<void>;
}

interface Worker {
  readonly options: DeliveryOptions;
  readonly signal: WakeSignal;
  readonly server: CircuitBreaker;
  readonly clock: Clock;
  isOpen: boolean;
  due: DueMessages;
  /** Messages that are being claimed or delivered. */
  inProgress: number;
  /** Why the store last failed; null once it works again. */
  failure: string | null;
  isPauseLogged: boolean;
  /** Until this time messages are claimed without reading the queue first, because the last claim found one. */
  claimUntil: number;
  /** End of the hour for which a spent quota was already logged. */
  spentUntilLogged: number;
}

export function startMailWorker({ concurrency = 4, ...options }: MailWorkerOptions): MailWorker {
  const worker: Worker = {
    options,
    signal: wakeSignal(),
    server: circuitBreaker(),
    clock: options.clock ?? Date.now,
    isOpen: true,
    due: options.queue.due(),
    inProgress: 0,
    failure: null,
    isPauseLogged: false,
    claimUntil: 0,
    spentUntilLogged: 0,
  };
  const running = Promise.all(Array.from({ length: concurrency }, () => work(worker)));
  return {
    wake: () => worker.signal.wake(),
    async stop(withinMs) {
      worker.isOpen = false;
      worker.signal.wake();
      await within(withinMs, running);
      // Aborts deliveries in progress; their outcomes are recorded as well.
      await options.transport.close();
      await within(Math.min(CUT_OFF_MS, withinMs), running);
    },
  };
}

async function work(worker: Worker): Promise<void> {
  const { signal } = worker;
  while (worker.isOpen) {
    const seen = signal.count;
    const waitMs = await look(worker);
    if (waitMs > 0) await signal.wait(seen, waitMs);
  }
}

/** Delivers the next message, if there is one. Returns the milliseconds until the queue should be read again. */
async function look(worker: Worker): Promise<number> {
  const { server, clock } = worker;
  const { queue, log } = worker.options;
  try {
    const isLook = clock() >= worker.claimUntil;
    const expired = isLook ? await queue.expireLeases() : 0;
    if (expired > 0) log('warn', 'mail-unknown', { mails: expired, reason: 'the sending process ended' });
    const [nextDue, spentUntil] = isLook
      ? await Promise.all([queue.findNextDue(), queue.quotaSpentUntil()])
      : [clock(), null];
    const dueAt = nextDue ?? Number.POSITIVE_INFINITY;
    // There is no await between here and the claim, so that a probe is the only message in progress.
    const now = clock();
    const waitMs = Math.max(dueAt - now, server.pauseLeft(now));
    if (waitMs > 0) return Math.min(LOOK_INTERVAL_MS, waitMs);
    if (spentUntil !== null) {
      if (spentUntil !== worker.spentUntilLogged) log('warn', 'mail-quota-spent');
      worker.spentUntilLogged = spentUntil;
      return Math.min(LOOK_INTERVAL_MS, spentUntil - now);
    }
    if (server.isProbing && worker.inProgress > 0) return LOOK_INTERVAL_MS;
    worker.inProgress += 1;
    try {
      return await deliver(worker, await worker.due.claimNext());
    } finally {
      worker.inProgress -= 1;
    }
  } catch (error) {
    noteFailure(worker, error);
    return LOOK_INTERVAL_MS;
  }
}

async function deliver(worker: Worker, claim: Claim): Promise<number> {
  const { options, signal, server, clock } = worker;
  noteRecovery(worker);
  worker.claimUntil = typeof claim === 'string' ? 0 : clock() + LOOK_INTERVAL_MS;
  if (claim === 'nothing') worker.due = options.queue.due();
  if (claim === 'paused' && !worker.isPauseLogged) options.log('warn', 'mail-paused');
  worker.isPauseLogged = claim === 'paused';
  if (claim === 'quota-spent' || claim === 'paused') return LOOK_INTERVAL_MS;
  // Another worker or process claimed it first, or messages to full mailboxes were postponed.
  if (typeof claim === 'string') return 0;
  const wasProbing = server.isProbing;
  await deliverMessage(claim, options, {
    onResult: (result) => server.note(result, domainKey(claim.email), clock()),
    /** Retried, because otherwise a deferred message would stay `sending`, become `unknown` and never be sent. */
    async onRecordError(error) {
      noteFailure(worker, error);
      if (!worker.isOpen) return false;
      await signal.wait(signal.count, RECORD_INTERVAL_MS);
      return true;
    },
  });
  if (worker.isOpen) noteRecovery(worker);
  // Wakes workers that waited for the probe.
  if (wasProbing && !server.isProbing) signal.wake();
  return 0;
}

/** Logs a database failure once, no matter how often it is retried. */
function noteFailure(worker: Worker, error: unknown): void {
  const reason = describeError(error);
  if (reason !== worker.failure) worker.options.log('error', 'mail-queue-failed', { reason });
  worker.failure = reason;
}

function noteRecovery(worker: Worker): void {
  if (worker.failure !== null) worker.options.log('info', 'mail-queue-recovered');
  worker.failure = null;
}
