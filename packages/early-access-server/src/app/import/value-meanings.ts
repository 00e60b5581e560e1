/**
 * The possible meanings of a value about consent. `leave-out`: these people are not imported. `ignore`: the value does
 * not concern consent.
 */
export const VALUE_MEANINGS = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'leave-out', 'ignore'] as const;
export type ValueMeaning = (typeof VALUE_MEANINGS)[number];
