import type { Clock, Log } from 'early-access-server/app';
import type { Firestore, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { reasonOf } from '../log.ts';
import type { Mailer, SendOutcome } from './mailer.ts';
import type { Outbox } from './outbox.ts';

/** Mails on their way at the same time. */
const LANES = 4;
const PAGE = 20 * LANES;
/** After so many refusals in a row the mail server is down or asks for patience: hammering it with the rest helps nobody. */
const MAX_REFUSALS = 2 * LANES;

export interface SweepOptions {
  readonly firestore: Firestore;
  readonly outbox: Outbox;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly log: Log;
  /** No mail is begun after so many milliseconds. */
  readonly withinMs: number;
}

/**
 * Takes care of what nobody waits for: mails whose lease has run out become `unknown`, and those that are due are sent, the one
 * due longest first, until the hour's budget is spent. Sweeps may overlap. Rejects where the store fails.
 */
export async function sweep({ firestore, outbox, mailer, clock, log, withinMs }: SweepOptions): Promise<void> {
  const start = clock();
  const mails = firestore.collection(COLLECTIONS.mails);
  const lapsed = mails.where('state', '==', 'sending').where('lease_until', '<', start).orderBy('lease_until');
  const due = mails.where('state', '==', 'queued').where('next_attempt_at', '<=', start).orderBy('next_attempt_at');

  let unknown = 0;
  for await (const { id } of pages(lapsed)) if (await outbox.expire(id)) unknown += 1;
  if (unknown > 0) log('warn', 'mail-unknown', { mails: unknown });

  const queue = pages(due);
  let open = true;
  let refusals = 0;
  async function lane(): Promise<void> {
    while (open && clock() - start <= withinMs) {
      const next = await queue.next();
      if (next.done) return;
      const outcome = await attempt(next.value.id);
      // A message that waits for its mailbox says nothing about the mail server.
      if (outcome !== 'mailbox-full') refusals = outcome === 'queued' ? refusals + 1 : 0;
      if (outcome === 'quota-spent' || refusals >= MAX_REFUSALS) open = false;
    }
  }

  /** One mail that cannot be claimed does not hold up the others. */
  async function attempt(id: string): Promise<SendOutcome> {
    try {
      return await mailer.send(id);
    } catch (error) {
      log('error', 'mail-not-claimed', { reason: reasonOf(error) });
      return 'nothing';
    }
  }

  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Every document of the query once, also while those behind it change. */
async function* pages(query: Query): AsyncGenerator<QueryDocumentSnapshot, void, void> {
  let rest = query;
  for (;;) {
    const { docs } = await rest.limit(PAGE).get();
    yield* docs;
    const last = docs.at(-1);
    if (last === undefined || docs.length < PAGE) return;
    rest = query.startAfter(last);
  }
}
