import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;

/** Reads what is stored, straight from the server's database file while the server runs. */
export interface Database {
  signup(email: string): Row | undefined;
  session(id: string): Row | undefined;
  /** The state of the message to an address. */
  mailState(email: string): string | undefined;
  /** The first column of the first row. */
  value(sql: string, ...parameters: SQLInputValue[]): SQLOutputValue | undefined;
  close(): void;
}

export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  return {
    ...queriesOf((sql, ...parameters) => database.prepare(sql).get(...parameters)),
    close: () => database.close(),
  };
}

/** Builds the queries on `row`, which returns the first row of a query. */
export function queriesOf(
  row: (sql: string, ...parameters: SQLInputValue[]) => Row | undefined,
): Omit<Database, 'close'> {
  const value = (sql: string, ...parameters: SQLInputValue[]) => Object.values(row(sql, ...parameters) ?? {})[0];
  return {
    signup: (email) => row('SELECT * FROM email_signups WHERE email = ?', email),
    session: (id) => row('SELECT * FROM sessions WHERE id = ?', id),
    mailState(email) {
      const state = value(
        'SELECT mails.state FROM mails JOIN email_signups ON email_signups.id = signup_id WHERE email = ?',
        email,
      );
      return typeof state === 'string' ? state : undefined;
    },
    value,
  };
}
