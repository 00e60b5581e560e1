import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;

/** Reads stored data directly from the database while the server runs. */
export interface Database {
  signup(email: string): Promise<Row | undefined>;
  session(id: string): Promise<Row | undefined>;
  /** Returns the state of the message to an address. */
  mailState(email: string): Promise<string | undefined>;
  /** Returns the first column of the first row. */
  value(sql: string, ...parameters: SQLInputValue[]): Promise<SQLOutputValue | undefined>;
  close(): Promise<void>;
}

export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  return {
    ...createQueries(async (sql, ...parameters) => database.prepare(sql).get(...parameters)),
    close: async () => database.close(),
  };
}

/** Builds the queries from `row`, which returns the first row of a query. */
export function createQueries(
  row: (sql: string, ...parameters: SQLInputValue[]) => Promise<Row | undefined>,
): Omit<Database, 'close'> {
  const value = async (sql: string, ...parameters: SQLInputValue[]) =>
    Object.values((await row(sql, ...parameters)) ?? {})[0];
  return {
    signup: (email) => row('SELECT * FROM email_signups WHERE email = ?', email),
    session: (id) => row('SELECT * FROM sessions WHERE id = ?', id),
    async mailState(email) {
      const state = await value(
        'SELECT mails.state FROM mails JOIN email_signups ON email_signups.id = signup_id WHERE email = ?',
        email,
      );
      return typeof state === 'string' ? state : undefined;
    },
    value,
  };
}
