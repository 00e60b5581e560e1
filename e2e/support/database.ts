import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;

/** What is stored, read where it lies while the product runs: the server's own file as it stands on the disk. */
export interface Database {
  signup(email: string): Row | undefined;
  session(id: string): Row | undefined;
  /** State of the outgoing mail to an address. */
  mailState(email: string): string | undefined;
  /** The first column of the first row. */
  value(sql: string, ...parameters: SQLInputValue[]): SQLOutputValue | undefined;
  close(): void;
}

export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  return {
    ...questionsTo((sql, ...parameters) => database.prepare(sql).get(...parameters)),
    close: () => database.close(),
  };
}

/** `row` answers with the first row. */
export function questionsTo(
  row: (sql: string, ...parameters: SQLInputValue[]) => Row | undefined,
): Omit<Database, 'close'> {
  const value = (sql: string, ...parameters: SQLInputValue[]) => Object.values(row(sql, ...parameters) ?? {})[0];
  return {
    signup: (email) => row('SELECT * FROM email_signups WHERE email = ?', email),
    session: (id) => row('SELECT * FROM sessions WHERE id = ?', id),
    mailState(email) {
      const state = value('SELECT state FROM mails JOIN email_signups ON id = signup_id WHERE email = ?', email);
      return typeof state === 'string' ? state : undefined;
    },
    value,
  };
}
