import type { ClaimedMessage } from './store.ts';

/** A message of the mail queue, with the data that its email is composed from. */
export type ComposableMessage = Omit<ClaimedMessage, 'id' | 'attempts' | 'claimToken'>;
