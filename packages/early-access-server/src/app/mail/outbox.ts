import type { WelcomeEmail } from '../../mail/compose.ts';
import type { MailTransport } from '../../mail/transport.ts';
import type { ClaimedMail } from '../../stores/sqlite/mail-claim.ts';
import type { MailStore } from '../../stores/sqlite/store.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../log.ts';
import { bell } from './bell.ts';
import { breaker } from './breaker.ts';
import { handOver } from './hand-over.ts';
import { type Settlement, settle } from './settlement.ts';

/** How often the queue is looked at without being woken: another process may have queued something. */
const LOOK_INTERVAL_MS = 5_000;

/** How often it is tried to keep an outcome that the database did not take. */
const KEEP_INTERVAL_MS = 1_000;

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
  const server = breaker();
  let open = true;
  let onTheirWay = 0;
  let failing = '';
  /** Until when the quota was spent when that was last logged. */
  let spentLogged = 0;

  async function lane(): Promise<void> {
    while (open) {
      const seen = work.rings;
      onTheirWay += 1;
      const next = await take().finally(() => {
        onTheirWay -= 1;
      });
      if (typeof next === 'number') await work.wait(seen, next);
    }
  }

  /** Sends a mail, or answers with the milliseconds until it makes sense to look again. */
  async function take(): Promise<number | undefined> {
    const mail = await claim();
    if (typeof mail === 'number') return mail;
    await send(mail);
    return undefined;
  }

  async function claim(): Promise<ClaimedMail | number> {
    try {
      const now = clock();
      if (mails.hasLapsed(now)) {
        const lapsed = await mails.expire();
        if (lapsed > 0) log('warn', 'mail-unknown', { mails: lapsed, reason: 'the sending process ended' });
      }
      const wait = Math.max((mails.nextDue() ?? Number.POSITIVE_INFINITY) - now, server.restLeft(now));
      if (wait > 0) return Math.min(LOOK_INTERVAL_MS, wait);
      const spentUntil = mails.quotaSpentUntil();
      if (spentUntil !== null) {
        if (spentUntil !== spentLogged) log('warn', 'mail-quota-spent');
        spentLogged = spentUntil;
        return Math.min(LOOK_INTERVAL_MS, spentUntil - now);
      }
      if (server.isProbing && onTheirWay > 1) return LOOK_INTERVAL_MS;
      // Null if another lane or process was faster, or messages to full mailboxes were postponed: look again at once.
      const mail = (await mails.claim(leaseMs)) ?? 0;
      recovered();
      return mail;
    } catch (error) {
      failed(error);
      return LOOK_INTERVAL_MS;
    }
  }

  async function send(mail: ClaimedMail): Promise<void> {
    const result = await handOver(() => compose(mail), transport);
    const settlement = settle(result, mail.attempts, clock());
    const wasProbing = server.isProbing;
    server.note(result, clock());
    const fields = { signup: mail.signupId, attempts: mail.attempts };
    if (settlement.state === 'sent') log('info', 'mail-sent', fields);
    else log('warn', `mail-${settlement.state}`, { ...fields, reason: settlement.reason });
    await keep(mail, settlement);
    // The lanes that stood by can go on.
    if (wasProbing && !server.isProbing) work.ring();
  }

  /**
   * Until it is kept, while the disk is full for one: what is left `sending` would become `unknown`, and then a refused mail would never be
   * sent. What cannot be kept before the end is left so.
   */
  async function keep(mail: ClaimedMail, settlement: Settlement): Promise<void> {
    for (;;) {
      const seen = work.rings;
      try {
        await mails.settle(mail, settlement);
        return recovered();
      } catch (error) {
        failed(error);
        if (!open) return;
        await work.wait(seen, KEEP_INTERVAL_MS);
      }
    }
  }

  /** Says once that the database fails, and once that it does no longer, however often it is tried in between. */
  function failed(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== failing) log('error', 'outbox-failed', { reason });
    failing = reason;
  }

  function recovered(): void {
    if (failing !== '') log('info', 'outbox-recovered');
    failing = '';
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
