import { ADMIN_TABLES } from './admin.ts';
import { ANALYTICS_TABLES } from './analytics.ts';
import { LIST_TABLES } from './list.ts';
import { MAIL_TABLES } from './mail.ts';

/**
 * The tables of version 1, in the words of `DialectWords`. Each database adds triggers and the indexes that only it needs. Times are epoch
 * milliseconds, durations seconds, flags 0 or 1.
 */
export const TABLES = [LIST_TABLES, MAIL_TABLES, ANALYTICS_TABLES, ADMIN_TABLES].join('');
