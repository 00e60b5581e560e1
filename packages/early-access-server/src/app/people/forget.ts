import { setTimeout as sleep } from 'node:timers/promises';
import type { MailQueue, Store } from '../ports/store.ts';

/** How long to wait for a delivery in progress, which may be about to write a copy of the message. */
const DELIVERY_MS = 5_000;
const DELIVERY_LOOK_MS = 100;

/** Copies of sent emails outside the store. */
export interface MailCopies {
  /** Deletes the emails of a person. Returns how many. */
  remove(email: string, messageKeys: readonly string[]): Promise<number>;
}

export interface ForgetOptions {
  readonly store: Pick<Store, 'erase' | 'mails'>;
  /** Normalized. */
  readonly email: string;
  /** Null if no copies are written. */
  readonly copies: MailCopies | null;
  /** If a delivery in progress may still write a copy: true erases anyway, false erases nothing. */
  readonly evenWhileSending: boolean;
}

/**
 * Erases a person: the signup, its messages, file copies of them, and its session. Returns null if nothing was erased
 * because an email is being sent.
 */
export async function forgetPerson({ store, email, copies, evenWhileSending }: ForgetOptions) {
  const isDelivered = copies === null || (await deliveryEnds(store.mails, email));
  if (!isDelivered && !evenWhileSending) return null;
  const { erased, traceless } = await store.erase(email);
  // Even if nothing is stored, because an earlier run may have been interrupted.
  const files = copies === null ? 0 : await copies.remove(email, erased?.messageKeys ?? []);
  return {
    erased,
    traceless,
    /** The number of deleted copies of emails. */
    files,
    /** False if a delivery in progress may still write a copy. */
    isDelivered,
  };
}

/** Waits until no process is delivering a message to the person. Returns false if that takes too long. */
async function deliveryEnds(mails: MailQueue, email: string): Promise<boolean> {
  const giveUpAt = performance.now() + DELIVERY_MS;
  while (await mails.isBeingSent(email)) {
    if (performance.now() > giveUpAt) return false;
    await sleep(DELIVERY_LOOK_MS);
  }
  return true;
}
