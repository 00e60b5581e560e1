/** The rows that a statement changed: new ones with the sign 1, old ones with -1. */
const CHANGES = {
  insert: { tables: 'NEW TABLE AS new_rows', changes: 'SELECT 1 AS sign, * FROM new_rows' },
  update: {
    tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    changes: 'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows',
  },
  delete: {
    tables: 'OLD TABLE AS old_rows',
    // The sums of sessions that are pruned stay.
    changes: 'SELECT -1 AS sign, * FROM old_rows WHERE (SELECT is_pruning FROM early_access.totals) = 0',
  },
} as const;

/** Runs the statements once after each such statement on the table, with the changed rows as `changes`. */
export function afterEach(
  table: string,
  events: readonly (keyof typeof CHANGES)[],
  statements: readonly string[],
): string {
  return events
    .map((event) => {
      const { tables, changes } = CHANGES[event];
      const body = statements.map((statement) => `WITH changes AS (${changes}) ${statement};`).join('\n');
      return `
  CREATE FUNCTION early_access.count_${table}_${event}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${body}
    RETURN NULL;
  END $$;
  CREATE TRIGGER count_${table}_${event} AFTER ${event} ON early_access.${table} REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION early_access.count_${table}_${event}();`;
    })
    .join('\n');
}
