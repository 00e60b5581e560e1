import type { Log } from '@early-access-kit/backend';

/** One JSON line per event, for a collector to read. A dependency would be larger than this function. */
export function jsonLog(stream: { write(line: string): unknown }): Log {
  return (level, event, fields) => {
    stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
}

export const silentLog: Log = () => {};

/** The message of a failure and of what caused it, for the log. SQLite's and Node's own messages name no data. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
