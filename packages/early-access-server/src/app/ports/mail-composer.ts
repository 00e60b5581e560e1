import type { Email } from './mail-transport.ts';
import type { ClaimedMessage } from './store.ts';

/** Composes the emails for admins that are sent at once. */
export interface AdminComposer {
  signIn(to: string, link: string, minutes: number): Email;
  test(to: string): Email;
}

/** A message of the mail queue, with what its email is made of. */
export type ComposableMessage = Omit<ClaimedMessage, 'id' | 'attempts' | 'claimToken'>;
