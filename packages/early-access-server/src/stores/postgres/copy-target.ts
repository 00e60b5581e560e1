import {
  type Checksum,
  COPIED_TABLES,
  type CopiedTable,
  type KeyRange,
  NULL,
  SEPARATOR,
} from '../sql/copied-tables.ts';
import { cursorKey } from '../sql/people-rows.ts';
import { integer, type Row, text } from '../sql/row.ts';
import { raw, type Statement, sql, type Transaction } from '../sql/statement.ts';
import { connect } from './connection.ts';
import { BEGIN_WRITING } from './database.ts';
import { isIntegrityViolation } from './failures.ts';
import { migrate } from './migrations.ts';

/** The database that an SQLite file is copied to. */
export type CopyTarget = Awaited<ReturnType<typeof openCopyTarget>>;

/** Connects and migrates the schema. */
export async function openCopyTarget(url: string) {
  const connection = connect(url, 1);
  try {
    await migrate(connection);
  } catch (error) {
    await connection.end();
    throw error;
  }
  return {
    /**
     * Starts or resumes a copy of this source. `other-data`: the database contains rows that are not from this copy.
     * `finished`: the copy is already complete.
     */
    begin: (sourceId: Uint8Array) =>
      connection.begin(BEGIN_WRITING, function* (): Transaction<'started' | 'resumed' | 'finished' | 'other-data'> {
        const [totals] = yield* sql`SELECT cursor_key, copied_from IS NOT NULL AS is_copy, copied_at FROM @totals`;
        if (totals?.is_copy === true) {
          if (!Buffer.from(sourceId).equals(cursorKey(totals))) return 'other-data';
          return totals.copied_at === null ? 'resumed' : 'finished';
        }
        for (const table of COPIED_TABLES) if (yield* hasRows(table)) return 'other-data';
        yield* sql`UPDATE @totals SET cursor_key = ${sourceId}, copied_from = 'sqlite'`;
        return 'started';
      }),
    /** The checksum of the table's rows in this range. */
    async checksum(table: CopiedTable, range: KeyRange): Promise<Checksum> {
      const [row] = await connection.run(sql`
        SELECT count(*) AS rows, md5(coalesce(string_agg(md5(${rowText(table)}), '' ORDER BY ${raw(table.key)}), '')) AS md5
        FROM ${raw(`@${table.name}`)} WHERE ${inRange(table, range)}
      `);
      return { rows: integer(row, 'rows'), md5: text(row, 'md5') };
    },
    /**
     * Replaces the table's rows in this range. Returns false if the new rows violate a constraint, because other rows
     * were copied from an earlier state of the source.
     */
    async replace(table: CopiedTable, range: KeyRange, rows: readonly Row[]): Promise<boolean> {
      try {
        await connection.begin(BEGIN_WRITING, () => replaceRows(table, range, rows));
        return true;
      } catch (error) {
        if (isIntegrityViolation(error)) return false;
        throw error;
      }
    },
    /** Completes the copy: new rows get numbers after `lastNumber`. */
    finish: (lastNumber: (table: CopiedTable, column: string) => number) =>
      connection.begin(BEGIN_WRITING, function* () {
        for (const table of COPIED_TABLES) {
          const column = table.numbered;
          if (column === null) continue;
          const last = lastNumber(table, column);
          yield* sql`
            SELECT setval(pg_get_serial_sequence(${`early_access.${table.name}`}, ${column}), ${Math.max(last, 1)}, ${raw(String(last > 0))})
          `;
        }
        yield* sql`UPDATE @traffic_sources SET uses = uses - 1`;
        yield* sql`DELETE FROM @traffic_sources WHERE uses = 0`;
        yield* sql`UPDATE @totals SET copied_at = ${Date.now()}`;
      }),
    close: () => connection.end(),
  };
}

function* hasRows({ name }: CopiedTable): Transaction<boolean> {
  return (yield* sql`SELECT 1 FROM ${raw(`@${name}`)} LIMIT 1`).length > 0;
}

/** The condition for rows in a range of keys. Excludes held rows that nothing refers to. */
function inRange({ key, where, isHeld }: CopiedTable, { after, until }: KeyRange): Statement {
  const name = raw(key);
  const beyond = after === null ? sql`true` : sql`${name} > ${after}`;
  const upTo = until === null ? sql`true` : sql`${name} <= ${until}`;
  return sql`${raw(isHeld ? 'uses > 1' : where)} AND ${beyond} AND ${upTo}`;
}

/** Must produce the same text as `computeChecksum` does for a row. */
function rowText({ columns }: CopiedTable): Statement {
  const values = columns.map((column) => `coalesce(${column}::text, ${literal(NULL)})`);
  return raw(`concat_ws(${literal(SEPARATOR)}, ${values.join(', ')})`);
}

function literal(character: string): string {
  return `chr(${character.charCodeAt(0)})`;
}

function* replaceRows(table: CopiedTable, range: KeyRange, rows: readonly Row[]): Transaction<void> {
  const { key, columns, isHeld } = table;
  const name = raw(`@${table.name}`);
  const records = JSON.stringify(rows);
  if (!isHeld) {
    yield* sql`
      DELETE FROM ${name} WHERE ${inRange(table, range)} AND ${raw(key)} NOT IN (
        SELECT ${raw(key)} FROM jsonb_populate_recordset(NULL::${name}, ${records})
      )
    `;
  }
  yield* sql`
    INSERT INTO ${name} AS stored (${raw([...columns, ...(isHeld ? ['uses'] : [])].join(', '))})
    SELECT ${raw([...columns, ...(isHeld ? ['1'] : [])].join(', '))} FROM jsonb_populate_recordset(NULL::${name}, ${records})
    ON CONFLICT (${raw(key)}) DO UPDATE SET ${raw(columns.map((column) => `${column} = excluded.${column}`).join(', '))}
      WHERE (${raw(columns.map((column) => `stored.${column}`).join(', '))})
        IS DISTINCT FROM (${raw(columns.map((column) => `excluded.${column}`).join(', '))})
  `;
}
