import { DatabaseSync } from 'node:sqlite';
import type { StoreView, Value, WireDocument } from '@early-access-kit/firestore-fake';
import { type Database, queriesOf, type Row } from './database.ts';

type Cell = string | number | null;

/** Makes Firestore's documents available to the queries of the SQLite tests. Each query runs on a fresh copy. */
export function mirrorOf(store: StoreView): Database {
  return {
    ...queriesOf(async (sql, ...parameters): Promise<Row | undefined> => {
      const copy = new DatabaseSync(':memory:');
      try {
        fill(
          copy,
          'email_signups',
          'id, email, session_id, source, referrer, submission_id, created_at, state, page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content',
          store,
        );
        fill(
          copy,
          'sessions',
          'id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent, device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, landing_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content',
          store,
        );
        fill(copy, 'mails', 'signup_id, state', store);
        return copy.prepare(sql).get(...parameters);
      } finally {
        copy.close();
      }
    }),
    close: async () => {},
  };
}

/** Copies a collection to a table. The first column is the document's id. */
function fill(copy: DatabaseSync, collection: string, columns: string, store: StoreView): void {
  const [, ...fields] = columns.split(', ');
  copy.exec(`CREATE TABLE ${collection} (${columns})`);
  const insert = copy.prepare(`INSERT INTO ${collection} VALUES (?${', ?'.repeat(fields.length)})`);
  for (const document of store.list(collection)) {
    insert.run(idOf(document), ...fields.map((field) => cellOf(document.fields?.[field])));
  }
}

function idOf({ name }: WireDocument): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Converts a value to what SQLite would store: flags as 0 or 1, times as epoch milliseconds, missing values as null. */
function cellOf(value: Value | undefined): Cell {
  if (value === undefined || 'nullValue' in value) return null;
  if ('stringValue' in value) return value.stringValue;
  if ('integerValue' in value) return Number(value.integerValue);
  if ('booleanValue' in value) return value.booleanValue ? 1 : 0;
  if ('timestampValue' in value) return Date.parse(value.timestampValue);
  throw new TypeError(`unsupported value type ${Object.keys(value)}`);
}
