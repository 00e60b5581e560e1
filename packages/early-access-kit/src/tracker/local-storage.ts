/** Local storage that may be blocked, full, or contain anything. Then reads return no fields, and writes do nothing. */

export type UntrustedFields = Readonly<Record<string, unknown>>;

export function read(key: string): UntrustedFields {
  try {
    // `Object` turns the `null` of a missing key into `{}`, which is faster than an exception for new visitors.
    return Object(JSON.parse(localStorage[key] ?? null));
  } catch {
    return {};
  }
}

/** Without `text`, removes the key. */
export function write(key: string, text?: string): void {
  try {
    if (text) localStorage[key] = text;
    else delete localStorage[key];
  } catch {
    // The session continues in memory.
  }
}

/** Returns whether the value is a positive integer that can still be incremented. */
export function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 100_000 && value % 1 === 0;
}
