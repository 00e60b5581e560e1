/** An embedded store returns the value itself, one behind a network a promise. */
export type Awaitable<T> = T | Promise<T>;
