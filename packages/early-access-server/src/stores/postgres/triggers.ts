/** The rows changed by a statement: new ones with sign 1, old ones with sign -1. */
const CHANGES = {
  insert: { tables: 'NEW TABLE AS new_rows', changes: 'SELECT 1 AS sign, * FROM new_rows' },
  update: {
    tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    changes: 'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows',
  },
  delete: {
    tables: 'OLD TABLE AS old_rows',
    // The totals of pruned sessions remain.
    changes: 'SELECT -1 AS sign, * FROM old_rows WHERE (SELECT is_pruning FROM early_access.totals) = 0',
  },
} as const;

/**
 * Creates triggers that run the statements once after each of these kinds of statements, with the changed rows as
 * `changes`.
 */
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
