import { type BulkRecord, readBulk } from '../../app/people/bulk.ts';
import type { BulkStore } from '../../app/ports/bulk-store.ts';
import { type Row, text } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { each, type Statement, sql } from './statement.ts';

export function bulkStore({ query, write }: SqlDatabase): BulkStore {
  return {
    list: async (limit) => (await query(selectNewest(limit))).map(toRecord),
    update: (decide) =>
      write(function* () {
        const [row] = yield* selectNewest(1);
        const { record, added, removed = [], result } = decide(row === undefined ? null : toRecord(row));
        if (record === null) return result;
        const { number } = record;
        yield* sql`
          INSERT INTO @bulk_jobs (number, data) VALUES (${number}, ${JSON.stringify(record)})
          ON CONFLICT (number) DO UPDATE SET data = excluded.data
        `;
        if (added !== undefined) {
          const { part, ids } = added;
          yield* sql`
            INSERT INTO @bulk_parts (key, number, part, ids) VALUES (${partKey(number, part)}, ${number}, ${part}, ${JSON.stringify(ids)})
          `;
        }
        const gone = removed.map((part) => partKey(number, part));
        if (gone.length > 0)
          yield* sql`DELETE FROM @bulk_parts WHERE key IN (SELECT value ->> 0 FROM ${each(gone.map((key) => [key]))})`;
        return result;
      }),
    async part(number, part) {
      const [row] = await query(sql`SELECT ids FROM @bulk_parts WHERE key = ${partKey(number, part)}`);
      return row === undefined ? [] : JSON.parse(text(row, 'ids'));
    },
  };
}

function selectNewest(limit: number): Statement {
  return sql`SELECT data FROM @bulk_jobs ORDER BY number DESC LIMIT CAST(${limit} AS bigint)`;
}

function toRecord(row: Row): BulkRecord {
  return readBulk(text(row, 'data'));
}

function partKey(number: number, part: number): string {
  return `${number}-${part}`;
}
