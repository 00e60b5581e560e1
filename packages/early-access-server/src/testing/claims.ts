import type { ClaimedMessage, Store } from '../stores/store.ts';

/** The message that is due longest, skipping those that wait for their mailbox. Null if none is due. */
export async function claim({ mails }: Pick<Store, 'mails'>): Promise<ClaimedMessage | null> {
  const due = mails.due();
  for (;;) {
    const message = await due.claimNext();
    if (typeof message !== 'string') return message;
    if (message === 'nothing' || message === 'quota-spent') return null;
  }
}

export async function claimed(store: Pick<Store, 'mails'>): Promise<ClaimedMessage> {
  const message = await claim(store);
  if (message === null) throw new Error('nothing is due');
  return message;
}
