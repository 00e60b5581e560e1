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
import { connect, type Queries, type Transaction } from './connection.ts';
import { BEGIN_WRITING } from './database.ts';
import { isIntegrityViolation } from './failures.ts';
import { migrate } from './migrations.ts';

/** The database that an SQLite file is copied to. */
export interface CopyTarget {
  /**
   * Starts the copy of this source, or resumes it. `other-data`: the database holds rows that are not of this copy. `finished`: it was
   * copied before.
   */
  begin(sourceId: Uint8Array): Promise<'started' | 'resumed' | 'finished' | 'other-data'>;
  /** The checksum of the table's rows in this range. */
  checksum(table: CopiedTable, range: KeyRange): Promise<Checksum>;
  /**
   * Makes the table have these rows in this range, and no others. Returns false if they do not go with the rows that are there, because
   * those were copied from an earlier state of the source.
   */
  replace(table: CopiedTable, range: KeyRange, rows: readonly Row[]): Promise<boolean>;
  /** Ends the copy: rows that are added from now on get numbers after `lastNumber`. */
  finish(lastNumber: (table: CopiedTable, column: string) => number): Promise<void>;
  close(): Promise<void>;
}

/** Connects, and brings the schema up to date. */
export async function openCopyTarget(url: string): Promise<CopyTarget> {
  const sql = connect(url, 1);
  try {
    await migrate(sql);
  } catch (error) {
    await sql.end();
    throw error;
  }
  return {
    begin: (sourceId) =>
      sql.begin(BEGIN_WRITING, async (tx) => {
        const [totals] =
          await tx`SELECT cursor_key, copied_from IS NOT NULL AS is_copy, copied_at FROM early_access.totals`;
        if (totals?.is_copy === true) {
          if (!Buffer.from(sourceId).equals(cursorKey(totals))) return 'other-data';
          return totals.copied_at === null ? 'resumed' : 'finished';
        }
        for (const table of COPIED_TABLES) if (await hasRows(tx, table)) return 'other-data';
        await tx`UPDATE early_access.totals SET cursor_key = ${sourceId}, copied_from = 'sqlite'`;
        return 'started';
      }),
    async checksum(table, range) {
      const [row] = await sql`
        SELECT count(*) AS rows, md5(coalesce(string_agg(md5(${rowText(sql, table)}), '' ORDER BY ${sql.unsafe(table.key)}), '')) AS md5
        FROM ${sql.unsafe(`early_access.${table.name}`)} WHERE ${within(sql, table, range)}
      `;
      return { rows: integer(row, 'rows'), md5: text(row, 'md5') };
    },
    async replace(table, range, rows) {
      try {
        await sql.begin(BEGIN_WRITING, (tx) => replaceRows(tx, table, range, rows));
        return true;
      } catch (error) {
        if (isIntegrityViolation(error)) return false;
        throw error;
      }
    },
    finish: (lastNumber) =>
      sql.begin(BEGIN_WRITING, async (tx) => {
        for (const table of COPIED_TABLES) {
          const column = table.numbered;
          if (column === null) continue;
          const last = lastNumber(table, column);
          await tx`
            SELECT setval(pg_get_serial_sequence(${`early_access.${table.name}`}, ${column}), ${Math.max(last, 1)}, ${last > 0})
          `;
        }
        await tx`UPDATE early_access.touches SET uses = uses - 1`;
        await tx`DELETE FROM early_access.touches WHERE uses = 0`;
        await tx`UPDATE early_access.totals SET copied_at = ${Date.now()}`;
      }),
    close: () => sql.end(),
  };
}

async function hasRows(tx: Transaction, { name }: CopiedTable): Promise<boolean> {
  return (await tx`SELECT 1 FROM ${tx.unsafe(`early_access.${name}`)} LIMIT 1`).length > 0;
}

/** The condition of rows in a range of keys, without held rows that nothing counts as. */
function within(sql: Queries, { key, where, isHeld }: CopiedTable, { after, until }: KeyRange) {
  const name = sql.unsafe(key);
  const beyond = after === null ? sql`true` : sql`${name} > ${after}`;
  const upTo = until === null ? sql`true` : sql`${name} <= ${until}`;
  return sql`${sql.unsafe(isHeld ? 'uses > 1' : where)} AND ${beyond} AND ${upTo}`;
}

/** The same text as `computeChecksum` makes of a row. */
function rowText(sql: Queries, { columns }: CopiedTable) {
  const values = columns.map((column) => `coalesce(${column}::text, ${literal(NULL)})`);
  return sql.unsafe(`concat_ws(${literal(SEPARATOR)}, ${values.join(', ')})`);
}

function literal(character: string): string {
  return `chr(${character.charCodeAt(0)})`;
}

async function replaceRows(tx: Transaction, table: CopiedTable, range: KeyRange, rows: readonly Row[]): Promise<void> {
  const { key, columns, isHeld } = table;
  const name = tx.unsafe(`early_access.${table.name}`);
  const records = tx.json(rows);
  if (!isHeld) {
    await tx`
      DELETE FROM ${name} WHERE ${within(tx, table, range)} AND ${tx.unsafe(key)} NOT IN (
        SELECT ${tx.unsafe(key)} FROM jsonb_populate_recordset(NULL::${name}, ${records})
      )
    `;
  }
  await tx`
    INSERT INTO ${name} AS stored (${tx.unsafe([...columns, ...(isHeld ? ['uses'] : [])].join(', '))})
    SELECT ${tx.unsafe([...columns, ...(isHeld ? ['1'] : [])].join(', '))} FROM jsonb_populate_recordset(NULL::${name}, ${records})
    ON CONFLICT (${tx.unsafe(key)}) DO UPDATE SET ${tx.unsafe(columns.map((column) => `${column} = excluded.${column}`).join(', '))}
      WHERE (${tx.unsafe(columns.map((column) => `stored.${column}`).join(', '))})
        IS DISTINCT FROM (${tx.unsafe(columns.map((column) => `excluded.${column}`).join(', '))})
  `;
}
