import type { Log } from 'early-access-server/app';
import { type LogSeverity, write } from 'firebase-functions/logger';

const SEVERITY = { info: 'INFO', warn: 'WARNING', error: 'ERROR' } as const satisfies Record<string, LogSeverity>;

/** Cloud Logging's structured lines: the event is the message, its fields can be searched for. */
export const cloudLog: Log = (level, event, fields) => {
  write({ ...fields, severity: SEVERITY[level], message: event });
};
