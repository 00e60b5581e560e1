/**
 * What a log line may say about an event: numbers and fixed words. NEVER an address, a hash of one, a name, a body or a URL
 * with a password.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Writes one event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void;
