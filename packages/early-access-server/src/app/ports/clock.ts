/** Returns the time in epoch milliseconds. `Date.now` except in tests. */
export type Clock = () => number;
