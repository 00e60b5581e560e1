import { redact } from './redact.ts';

/** An embedded store returns the value itself, one behind a network a promise. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The data that a log line may contain about an event: numbers and fixed words. NEVER an address, a hash of one, a
 * name, a body or a URL with a password. The names that a line, or Cloud Logging, has for itself are not allowed.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null>> & {
  readonly [Own in 'time' | 'level' | 'event' | 'message' | 'severity']?: never;
};

/** Writes one event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void;

/**
 * One JSON line per event, for a collector to read.
 *
 * @example
 * createEarlyAccess({ store, log: jsonLog(process.stderr) });
 */
export function jsonLog(stream: { write(line: string): unknown }): Log {
  return (level, event, fields) => {
    stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
}

export const silentLog: Log = () => {};

/**
 * The messages of an error and its causes, for the log: without what looks like a credential or an address, because
 * they may be a host's.
 */
export function describeError(error: unknown): string {
  return redact(joinMessages(error));
}

function joinMessages(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause === undefined ? error.message : `${error.message}: ${joinMessages(error.cause)}`;
}
