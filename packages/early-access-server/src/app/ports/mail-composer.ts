import type { ClaimedMessage } from './store.ts';

/** A message of the mail queue, with what its email is made of. */
export type ComposableMessage = Omit<ClaimedMessage, 'id' | 'attempts' | 'claimToken'>;
