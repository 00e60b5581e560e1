import type { Clock, Log } from '@early-access-kit/backend';
import { handOver, type MailTransport, settle, type WelcomeEmail } from '@early-access-kit/welcome-email';
import { reasonOf } from '../log.ts';
import type { ClaimedMail } from '../store/mails.ts';
import type { MailStore } from '../store/store.ts';
import { bell } from './bell.ts';
import { pauseAfter } from './pause.ts';

/** How often the queue is looked at without being woken: another process may have queued something. */
const LOOK_INTERVAL_MS = 5_000;

/** How long to wait for the outcome of a delivery that was cut off. */
const CUT_OFF_MS = 1_000;

export interface OutboxOptions {
  readonly mails: MailStore;
  readonly transport: MailTransport;
  /** Makes the message; a throw gives the mail up, because it would throw again. */
  readonly compose: (mail: ClaimedMail) => WelcomeEmail;
  readonly log: Log;
  readonly clock?: Clock;
  /** Mails on their way at the same time. */
  readonly lanes?: number;
  /** Longer than any delivery takes; after it a mail in `sending` counts as `unknown`. */
  readonly leaseMs?: number;
}

/** Sends what is queued in the store. */
export interface Outbox {
  /** Looks at the queue now. */
  wake(): void;
  /** Takes no more mails, and waits for those on their way, at most so long. Those that take longer end as `unknown`. */
  close(withinMs: number): Promise<void>;
}

/**
 * Starts sending. AT MOST ONCE: a mail is marked `sending` on the disk before it is handed over, and whatever happens after that
 * without a definite refusal never leads to a second one by itself.
 */
export function startOutbox({
  mails,
  transport,
  compose,
  log,
  clock = Date.now,
  lanes = 4,
  leaseMs = 300_000,
}: OutboxOptions): Outbox {
  const work = bell();
  let open = true;
  let refusalsInARow = 0;
  let pausedUntil = 0;

  async function lane(): Promise<void> {
    while (open) {
      const seen = work.rings;
      const next = await take();
      if (typeof next === 'number') await work.wait(seen, next);
      else await send(next);
    }
  }

  /** A mail to send, or the milliseconds until it makes sense to look again. */
  async function take(): Promise<ClaimedMail | number> {
    try {
      const now = clock();
      if (mails.hasLapsed(now)) {
        const lapsed = await mails.expire();
        if (lapsed > 0) log('warn', 'mail-unknown', { mails: lapsed });
      }
      const due = Math.max(mails.nextDue() ?? Number.POSITIVE_INFINITY, pausedUntil);
      if (due > now) return Math.min(LOOK_INTERVAL_MS, due - now);
      // Null where another lane or process was faster: look again at once.
      return (await mails.claim(leaseMs)) ?? 0;
    } catch (error) {
      log('error', 'outbox-failed', { reason: reasonOf(error) });
      return LOOK_INTERVAL_MS;
    }
  }

  async function send(mail: ClaimedMail): Promise<void> {
    const result = await handOver(() => compose(mail), transport);
    const settlement = settle(result, mail.attempts, clock());
    refusalsInARow = settlement.state === 'queued' ? refusalsInARow + 1 : 0;
    pausedUntil = clock() + pauseAfter(refusalsInARow);
    const level = settlement.state === 'sent' ? 'info' : 'warn';
    log(level, `mail-${settlement.state}`, { signup: mail.signupId, attempts: mail.attempts });
    try {
      await mails.settle(mail, settlement);
    } catch (error) {
      // The mail stays `sending` and becomes `unknown`: not known to have gone out, and not sent twice.
      log('error', 'outbox-failed', { reason: reasonOf(error) });
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane));

  return {
    wake: () => work.ring(),
    async close(withinMs) {
      open = false;
      work.ring();
      await within(withinMs, running);
      // Cuts off what is still under way; its outcome is kept too.
      await transport.close();
      await within(Math.min(CUT_OFF_MS, withinMs), running);
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
}
