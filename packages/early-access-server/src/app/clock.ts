/** Tells the time in epoch milliseconds; `Date.now` but in tests. */
export type Clock = () => number;
