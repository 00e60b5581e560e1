import { redact } from './redact.ts';

/** Embedded stores return the value directly; stores behind a network return a promise. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The data that a log line may contain: numbers and fixed words. NEVER an address, a hash of one, a name, a message
 * body or a URL with a password. Names that log lines or Cloud Logging use themselves are reserved.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null>> & {
  readonly [Own in 'time' | 'level' | 'event' | 'message' | 'severity']?: never;
};

/** Writes one event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void;

/**
 * Writes one JSON line per event.
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
 * The messages of an error and its causes, for the log. Removes everything that looks like a credential or an address,
 * because the messages may come from the host's code.
 */
export function describeError(error: unknown): string {
  return redact(joinMessages(error));
}

function joinMessages(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause === undefined ? error.message : `${error.message}: ${joinMessages(error.cause)}`;
}
