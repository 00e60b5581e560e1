/** Local storage that may be blocked, full, or hold anything at all: reading then finds nothing, and writing does nothing. */

export type UntrustedFields = Readonly<Record<string, unknown>>;

export function read(key: string): UntrustedFields {
  try {
    return Object(JSON.parse(localStorage.getItem(key) ?? '0'));
  } catch {
    return {};
  }
}

/** Without a text it removes what is there. */
export function write(key: string, text?: string): void {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    // The visit goes on from memory.
  }
}

/** An id that stores accept. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{8,64}$/.test(value);
}

/** A whole number from 1; below the given bound, which leaves room to go on counting. */
export function isWhole(value: unknown, below = 1e5): value is number {
  return typeof value === 'number' && value > 0 && value < below && value % 1 === 0;
}
