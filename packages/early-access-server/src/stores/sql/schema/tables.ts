import { ADMIN_TABLES } from './admin.ts';
import { ANALYTICS_TABLES } from './analytics.ts';
import { LIST_TABLES } from './list.ts';
import { MAIL_TABLES } from './mail.ts';

/**
 * The tables of version 1, written with `DialectWords`. Each database adds triggers and its own indexes. Times are
 * epoch milliseconds, durations seconds, flags 0 or 1.
 */
export const TABLES = [LIST_TABLES, MAIL_TABLES, ANALYTICS_TABLES, ADMIN_TABLES].join('');

/** The error for a database from before version 1. It cannot be migrated; only its list can be exported. */
export function earlierSchema(setting: 'DATA_DIR' | 'DATABASE_URL'): Error {
  return new Error(
    `it was made by an earlier version: export the list with that version, start this one with a new ${setting}, and import the list`,
  );
}
