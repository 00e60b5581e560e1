import type { Row } from './row.ts';

/** The rows that a statement returned. `count`: the number of rows returned or changed. */
export type Rows = readonly Row[] & { readonly count: number };

/**
 * A transaction, written once for all databases: `const [row] = yield* sql\`SELECT …\``. SQLite runs it synchronously
 * inside its group commit; Postgres awaits each statement.
 */
export type Transaction<T> = Generator<Statement, T, Rows>;

/** A transaction, or a single statement. */
export type Steps<T> = Iterable<Statement, T, Rows>;

/** Syntax that differs between databases. In a statement, these names follow a `#`. */
export interface DialectWords {
  /** Placed before a column that must not be read through its index. */
  readonly unindexed: string;
  /** Locks the selected rows, except against new rows that refer to them. Empty if writers wait for each other. */
  readonly lock: string;
  /** Locks the selected rows, and skips rows locked by others. */
  readonly lockFree: string;
  /** A function that returns a row for each element of a JSON array, in order, with the column `value`. */
  readonly each: string;
  /** Placed after a JSON text that is passed to `each`. */
  readonly jsonb: string;
  /** A function that creates a JSON array from its arguments. */
  readonly array: string;
  /** Placed after a column with a JSON object as text, to be read with `->`. */
  readonly json: string;
  /** Placed after a text of which `lower` must only change A to Z. */
  readonly ascii: string;
  /** A function that returns the position of a text in another one, or 0. */
  readonly find: string;
  /** The type of whole numbers up to 2^53. */
  readonly bigint: string;
  /** The type of text that is compared by bytes. */
  readonly key: string;
  /** The type of an automatically numbered primary key. */
  readonly id: string;
  /** Like `id`, but the number of a deleted row is never reused. */
  readonly uniqueId: string;
  /** Adds the id to the columns of an index, unless rows with equal columns are ordered by id anyway. */
  readonly andId: string;
  /** Ends the definition of a table. */
  readonly rows: string;
  /** Ends the definition of a table that is small or only read by its whole primary key. */
  readonly keyed: string;
}

/** A value that becomes a parameter. */
export type SqlValue = string | number | Uint8Array | null;

/** A value, or a part of the text. */
type Part = SqlValue | Statement | List;

/** Translates statements to the SQL of one database. */
export class Dialect {
  readonly #table: (name: string) => string;
  readonly #parameter: (position: number) => string;
  readonly #words: ReadonlyMap<string, string>;
  /** The translated literal parts of each call site. */
  readonly #translated = new WeakMap<readonly string[], readonly string[]>();

  constructor(words: DialectWords, table: (name: string) => string, parameter: (position: number) => string) {
    this.#words = new Map(Object.entries(words));
    this.#table = table;
    this.#parameter = parameter;
  }

  /** Returns the statement's text and appends its parameters to `values`. */
  build({ texts, parts }: Statement, values: SqlValue[]): string {
    const translated = this.#translate(texts);
    let text = translated[0] ?? '';
    for (const [index, part] of parts.entries()) text += this.#part(part, values) + translated[index + 1];
    return text;
  }

  #part(part: Part, values: SqlValue[]): string {
    if (part instanceof Statement) return this.build(part, values);
    if (part instanceof List) return part.items.map((item) => this.#part(item, values)).join(', ') || 'NULL';
    values.push(part);
    return this.#parameter(values.length);
  }

  #translate(texts: readonly string[]): readonly string[] {
    const known = this.#translated.get(texts);
    if (known !== undefined) return known;
    const translated = texts.map((text) => this.translate(text));
    this.#translated.set(texts, translated);
    return translated;
  }

  /** Translates a text without values. */
  translate(text: string): string {
    return text
      .replaceAll(/@(\w+)/g, (_, name) => this.#table(name))
      .replaceAll(/#([a-z]\w*)/gi, (_, word) => this.#word(word));
  }

  #word(name: string): string {
    const word = this.#words.get(name);
    if (word === undefined) throw new TypeError(`no dialect has the word #${name}`);
    return word;
  }
}

/** A statement, or a part of one. */
export class Statement {
  readonly texts: readonly string[];
  readonly parts: readonly Part[];
  /** Statements that always follow this one, so they can be sent together with it. */
  readonly followers: readonly Statement[];
  /** True if the transaction does not read the result. */
  readonly isUnread: boolean;

  constructor(
    texts: readonly string[],
    parts: readonly Part[],
    followers: readonly Statement[] = [],
    isUnread = false,
  ) {
    this.texts = texts;
    this.parts = parts;
    this.followers = followers;
    this.isUnread = isUnread;
  }

  *[Symbol.iterator](): Transaction<Rows> {
    return yield this;
  }
}

/** The parameters of a statement whose text never changes. Undefined if the text depends on a value. */
export function fixedParameters({ parts }: Statement): readonly SqlValue[] | undefined {
  return parts.every(isValue) ? parts : undefined;
}

function isValue(part: Part): part is SqlValue {
  return !(part instanceof Statement || part instanceof List);
}

class List {
  readonly items: readonly (SqlValue | Statement)[];

  constructor(items: readonly (SqlValue | Statement)[]) {
    this.items = items;
  }
}

/**
 * Creates a statement. Values become parameters; statements become part of this one. Tables are written as `@mails`,
 * and syntax that differs between databases as `#lock` (see `DialectWords`).
 *
 * Write LIMIT CAST(${limit} AS bigint): SQLite recompiles a statement on each use if LIMIT or the pattern of LIKE is a
 * bare parameter.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  return new Statement(texts, parts);
}

/**
 * A comma-separated list of values or statements, for IN and VALUES. An empty one becomes NULL, which equals nothing.
 */
export function list(items: readonly (SqlValue | Statement)[]): List {
  return new List(items);
}

/**
 * The items as rows with the column `value`, for FROM. The limit tells Postgres their number; otherwise it assumes a
 * hundred, and scans a table of ten thousand rows to find two.
 */
export function each(items: readonly unknown[]): Statement {
  return sql`(SELECT value FROM #each(${JSON.stringify(items)}) LIMIT CAST(${items.length} AS bigint)) AS item`;
}

/** A statement or a part of one, composed of constants of the program. Never pass input. */
export function raw(text: string): Statement {
  return new Statement([text], []);
}

/**
 * Runs statements in order. All must be needed in any case. Postgres receives them in one round trip. Returns the rows
 * of each.
 */
export function* runTogether(statements: readonly Statement[]): Transaction<readonly Rows[]> {
  const results: Rows[] = [];
  for (const [index, statement] of statements.entries()) {
    const { texts, parts } = statement;
    results.push(yield index === 0 ? new Statement(texts, parts, statements.slice(1)) : statement);
  }
  return results;
}

/**
 * Runs a statement whose result is not read. Postgres receives it in the same round trip as the next statement or
 * COMMIT. If it fails, the transaction fails.
 */
export function* runUnread({ texts, parts }: Statement): Transaction<void> {
  yield new Statement(texts, parts, [], true);
}

/** A transaction step that is already complete. */
export function* finishedStep<T>(result: T): Transaction<T> {
  // It needs no statement, but the linter requires a yield in a generator.
  yield* [];
  return result;
}
