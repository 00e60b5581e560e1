import { type MessageRecord, wasAttempted } from '../mail/message-state.ts';
import type { ImportedMember, ListStore } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';

/** People erased together, because a store may search its files for traces of all of them in one pass. */
const ERASED_AT_ONCE = 50;

/** How many people withdrawing an import would erase, and how many would stay. */
export interface WithdrawalCounts {
  readonly erased: number;
  readonly kept: number;
}

/**
 * Returns whether withdrawing an import erases a person it added: nothing about them has changed, and no delivery to
 * them was attempted. `events` are the stored ones, so that events unknown to this version count as changes. `messages`
 * are all messages of the person.
 */
export function mayWithdraw(
  events: unknown,
  messages: readonly Pick<MessageRecord, 'attempts' | 'lease_until'>[],
): boolean {
  return Array.isArray(events) && events.length === 1 && events[0]?.event === 'add' && !messages.some(wasAttempted);
}

/** Counts what `withdrawImport` would do now. Stores nothing. */
export async function countWithdrawal(list: Pick<ListStore, 'peopleOfImport'>, id: string): Promise<WithdrawalCounts> {
  const counts = { erased: 0, kept: 0 };
  for await (const { isWithdrawable } of list.peopleOfImport(id)) counts[isWithdrawable ? 'erased' : 'kept'] += 1;
  return counts;
}

/**
 * Erases the people of an import who have not changed since. Each person is checked and erased in one transaction, so
 * an interrupted withdrawal is continued by calling it again. No message to them was attempted, so there are no copies
 * of messages to delete.
 */
export async function withdrawImport(
  { erase, list }: Pick<Store, 'erase' | 'list'>,
  id: string,
): Promise<WithdrawalCounts & Pick<Awaited<ReturnType<Store['erase']>>, 'traceless'>> {
  const total = { erased: 0, kept: 0, traceless: true };
  const waiting: ImportedMember[] = [];
  const eraseWaiting = async () => {
    const erasures = await Promise.all(waiting.splice(0).map(({ email }) => erase(email, id)));
    for (const { erased, traceless } of erasures) {
      total[erased === null ? 'kept' : 'erased'] += 1;
      total.traceless &&= traceless;
    }
  };
  for await (const member of list.peopleOfImport(id)) {
    if (!member.isWithdrawable) total.kept += 1;
    else if (waiting.push(member) === ERASED_AT_ONCE) await eraseWaiting();
  }
  await eraseWaiting();
  return total;
}
