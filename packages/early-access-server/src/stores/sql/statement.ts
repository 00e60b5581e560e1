import type { Row } from './row.ts';

/** The rows that a statement returned. `count`: how many it returned or changed. */
export type Rows = readonly Row[] & { readonly count: number };

/**
 * A transaction, written once for all databases: `const [row] = yield* sql\`SELECT …\``. SQLite runs it to its end at
 * once, inside its group commit; Postgres awaits each statement.
 */
export type Transaction<T> = Generator<Statement, T, Rows>;

/** A transaction, or the only statement of one. */
export type Steps<T> = Iterable<Statement, T, Rows>;

/** Words that the databases write differently. In a statement they follow a `#`. */
export interface DialectWords {
  /** Before a column that must not be read through its index. */
  readonly unindexed: string;
  /** Locks the selected rows, but not against rows that refer to them. Empty if writers wait for each other anyway. */
  readonly lock: string;
  /** Locks the selected rows, and skips rows that others have locked. */
  readonly lockFree: string;
  /** A function that makes a row of each element of a JSON array, with the column `value`, in their order. */
  readonly each: string;
  /** Ends a text with JSON that is passed to `each`. */
  readonly jsonb: string;
  /** A function that makes a JSON array of its arguments. */
  readonly array: string;
  /** After a column with the text of a JSON object, which `->` is to read. */
  readonly json: string;
  /** After a text of which `lower` is to change A to Z only. */
  readonly ascii: string;
  /** A function that returns the place of a text in another one; 0 if it is not there. */
  readonly find: string;
  /** The type of whole numbers up to 2^53. */
  readonly bigint: string;
  /** The type of texts that are compared by their bytes. */
  readonly key: string;
  /** The type of numbers that rows get when they are added, as the primary key. */
  readonly id: string;
  /** Like `id`, but the number of a deleted row is never given again. */
  readonly uniqueId: string;
  /** Ends the columns of an index by the id, unless rows with equal columns are in that order anyway. */
  readonly andId: string;
  /** Ends a table. */
  readonly rows: string;
  /** Ends a table that is small or read by its whole primary key only. */
  readonly keyed: string;
}

/** A value that becomes a parameter. */
export type SqlValue = string | number | Uint8Array | null;

/** A value, or a part of the text. */
type Part = SqlValue | Statement | List;

/** Turns statements into the text of one database. */
export class Dialect {
  readonly #table: (name: string) => string;
  readonly #parameter: (position: number) => string;
  readonly #words: ReadonlyMap<string, string>;
  /** The literal parts of each call site in this dialect. */
  readonly #translated = new WeakMap<readonly string[], readonly string[]>();

  constructor(words: DialectWords, table: (name: string) => string, parameter: (position: number) => string) {
    this.#words = new Map(Object.entries(words));
    this.#table = table;
    this.#parameter = parameter;
  }

  /** The statement's text. Adds the values of its parameters to `values`. */
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

  /** A text without values in this dialect. */
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
  /** The statements that follow in any case, so that they can be sent with this one. */
  readonly followers: readonly Statement[];
  /** Whether the transaction does not read the result. */
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

/**
 * The parameters of a statement whose text is the same at each call; undefined if a part of the text depends on a
 * value.
 */
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
 * Makes a statement. Values become parameters, and statements become parts of this one. Tables are written `@mails`,
 * and words that differ between databases `#lock` (see `DialectWords`).
 *
 * Write LIMIT CAST(${limit} AS bigint): SQLite compiles a statement again at each use if LIMIT or the pattern of LIKE
 * is a bare parameter.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  return new Statement(texts, parts);
}

/** Values or statements between commas, for IN and VALUES. An empty one is NULL, which equals nothing. */
export function list(items: readonly (SqlValue | Statement)[]): List {
  return new List(items);
}

/**
 * The items as rows with the column `value`, for FROM. The limit tells Postgres how many there are: it expects a
 * hundred, and scans a table of some ten thousand rows to find two of them.
 */
export function each(items: readonly unknown[]): Statement {
  return sql`(SELECT value FROM #each(${JSON.stringify(items)}) LIMIT CAST(${items.length} AS bigint)) AS item`;
}

/** A statement, or a part of one, that was put together from names that the program knows. */
export function raw(text: string): Statement {
  return new Statement([text], []);
}

/**
 * Runs statements in their order, all of which are needed in any case. Postgres gets all of them in one round trip.
 * Returns the rows of each.
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
 * Runs a statement whose result is not read. Postgres gets the next statement, or COMMIT, in the same round trip. If it
 * fails, the transaction does.
 */
export function* runUnread({ texts, parts }: Statement): Transaction<void> {
  yield new Statement(texts, parts, [], true);
}

/** A step of a transaction that is finished already. */
export function* finishedStep<T>(result: T): Transaction<T> {
  // It needs no statement; without a yield it would be no generator to the linter.
  yield* [];
  return result;
}
