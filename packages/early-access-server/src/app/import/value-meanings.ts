/**
 * The meanings of a value in a column about consent. `leave-out`: they are not imported. `ignore`: it says nothing
 * about consent.
 */
export const VALUE_MEANINGS = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'leave-out', 'ignore'] as const;
export type ValueMeaning = (typeof VALUE_MEANINGS)[number];
