import pg from 'pg';
import { createQueries, type Database } from './database.ts';

const BIGINT = 20;

/** Runs the queries of the SQLite tests on the store's schema. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    options: '-c search_path=early_access',
    types: { getTypeParser: (type, format) => (type === BIGINT ? Number : pg.types.getTypeParser(type, format)) },
  });
  return {
    ...createQueries(async (sql, ...parameters) => {
      let position = 0;
      const { rows } = await pool.query(
        sql.replaceAll('?', () => `$${++position}`),
        parameters,
      );
      return rows[0];
    }),
    close: () => pool.end(),
  };
}
