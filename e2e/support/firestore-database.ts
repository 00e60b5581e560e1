import { DatabaseSync } from 'node:sqlite';
import { createQueries, type Database, type Row } from './database.ts';

type Cell = string | number | null;

/** A document in the format of Firestore's REST API. */
interface StoredDocument {
  readonly name: string;
  readonly fields?: Readonly<Record<string, Value>>;
}
type Value = Readonly<Record<string, unknown>>;

/** The columns of each collection in the SQLite tests. The first one is the document's id. */
const TABLES = {
  email_signups:
    'id, email, session_id, source, referrer, submission_id, created_at, state, language, page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content',
  sessions:
    'id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent, device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, landing_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content',
  mails: 'signup_id, state',
} as const;

/** Accesses Firestore over REST, bypassing the rules. */
export function connectFirestore(url: string, projectId: string) {
  const documents = `${url}/v1/projects/${projectId}/databases/(default)/documents`;

  async function post<T>(verb: string, body: unknown): Promise<T> {
    const headers = { authorization: 'Bearer owner' };
    const response = await fetch(`${documents}:${verb}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  async function list(collectionId: string): Promise<readonly StoredDocument[]> {
    const found = await post<{ document?: StoredDocument }[]>('runQuery', {
      structuredQuery: { from: [{ collectionId }] },
    });
    return found.flatMap(({ document }) => document ?? []);
  }

  return {
    /** Runs the queries of the SQLite tests, each on a new copy of the documents. */
    database: {
      ...createQueries(async (sql, ...parameters): Promise<Row | undefined> => {
        const copy = new DatabaseSync(':memory:');
        try {
          for (const [table, columns] of Object.entries(TABLES)) fill(copy, table, columns, await list(table));
          return copy.prepare(sql).get(...parameters);
        } finally {
          copy.close();
        }
      }),
      close: async () => {},
    } satisfies Database,
    /** Deletes all documents of a collection. */
    async clear(collection: string): Promise<void> {
      const writes = (await list(collection)).map(({ name }) => ({ delete: name }));
      if (writes.length > 0) await post('commit', { writes });
    },
  };
}

function fill(copy: DatabaseSync, table: string, columns: string, documents: readonly StoredDocument[]): void {
  const [, ...fields] = columns.split(', ');
  copy.exec(`CREATE TABLE ${table} (${columns})`);
  const insert = copy.prepare(`INSERT INTO ${table} VALUES (?${', ?'.repeat(fields.length)})`);
  for (const { name, fields: values = {} } of documents) {
    insert.run(name.slice(name.lastIndexOf('/') + 1), ...fields.map((field) => toCell(values[field])));
  }
}

/** Converts a value to that of SQLite: flags to 0 or 1, times to epoch milliseconds, missing values to null. */
function toCell(value: Value = {}): Cell {
  const [[type, content] = ['nullValue', null]] = Object.entries(value);
  if (type === 'nullValue') return null;
  if (type === 'stringValue') return String(content);
  if (type === 'integerValue' || type === 'booleanValue') return Number(content);
  if (type === 'timestampValue') return Date.parse(String(content));
  throw new TypeError(`unsupported value type ${type}`);
}
