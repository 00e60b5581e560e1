import { type FieldDeclarations, isValidEmail, StorageError } from 'early-access-kit/core';
import { type CsvLine, invalidLine } from './csv-file.ts';
import {
  findFieldByName,
  IMPORT_FIELDS,
  type ImportField,
  isRepeatable,
  isVagueStateName,
  normalizeName,
} from './import-fields.ts';
import { findState, isOptOut } from './status-words.ts';

export const MAX_IMPORT_LINES = 100_000;

/** A field, or `fields.` and the name of one of the host's own fields. */
export type ColumnUse = ImportField | `fields.${string}`;

/** A column of the file, and what its cells are imported as; null if it is ignored. Numbers begin at 1. */
export interface ImportColumn {
  readonly number: number;
  readonly name: string;
  readonly use: ColumnUse | null;
  /** The first different values, shortened. */
  readonly samples: readonly string[];
}

/** How many samples a column has, and how long they are. */
const SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 80;

export interface Columns {
  readonly all: readonly ImportColumn[];
  /** Where the cells of each use are in a line. */
  readonly byUse: ReadonlyMap<ColumnUse, readonly number[]>;
  /** How many columns a line may have. */
  readonly count: number;
  /** Whether the first line has names, and no person. */
  readonly isNamed: boolean;
  /** The choice that the admin has to make before anyone can be imported; null if there is none. */
  readonly problem: string | null;
}

/** A choice of the admin, which takes the place of what a column's name says. `column`: its number or its name. */
export interface ColumnChoice {
  readonly use: ColumnUse | null;
  readonly column: string;
}

const IGNORE = 'ignore';

/** Parses choices such as `email=Work address` and `ignore=3`. Throws a `StorageError` if one is of another form. */
export function parseColumnChoices(texts: readonly string[], declarations: FieldDeclarations): readonly ColumnChoice[] {
  const uses = listColumnUses(declarations);
  return texts.map((text) => {
    const [, name, column = ''] = /^([^=]*)=\s*(.*?)\s*$/s.exec(text) ?? [];
    const use = uses.find((candidate) => candidate === name);
    if (column !== '' && (use !== undefined || name === IGNORE)) return { use: use ?? null, column };
    const names = [...uses, IGNORE].join(', ');
    throw new StorageError('invalid', `column must be a field and a column, such as email=Work; fields are ${names}`);
  });
}

/** Everything that a column may be imported as. */
export function listColumnUses(declarations: FieldDeclarations): readonly ColumnUse[] {
  return [...IMPORT_FIELDS, ...Object.keys(declarations).map((name): ColumnUse => `fields.${name}`)];
}

/** Without names, a file that begins with an address has these columns. */
const BY_POSITION: readonly ImportField[] = ['email', 'source', 'created_at', 'state'];

/**
 * Decides what each column is: by the admin's choice, else by its name, else by its cells in the whole file. Throws a `StorageError` if
 * the file has no people or too many.
 */
export async function readColumns(
  lines: AsyncIterable<CsvLine>,
  { declarations, choices }: { readonly declarations: FieldDeclarations; readonly choices: readonly ColumnChoice[] },
): Promise<Columns> {
  let names: readonly string[] | null = null;
  let isNamed = false;
  let people = 0;
  const contents: Content[] = [];
  for await (const { line, cells } of lines) {
    if (names === null) {
      isNamed = !cells.some(isValidEmail);
      names = isNamed ? cells : [];
      if (isNamed) continue;
    }
    people += 1;
    if (people > MAX_IMPORT_LINES) {
      throw invalidLine(line, `there are more than ${MAX_IMPORT_LINES} people; split the file`);
    }
    for (const [index, cell] of cells.entries()) contents[index] = addCell(contents[index] ?? EMPTY, cell);
  }
  if (names === null || people === 0) throw new StorageError('invalid', 'the file has no people');
  const length = isNamed ? names.length : contents.length;
  const columns = Array.from({ length }, (_, index) => ({
    number: index + 1,
    name: names[index]?.trim() ?? '',
    content: contents[index] ?? EMPTY,
  }));
  const assigned = assignColumns(columns, { isNamed, declarations, choices });
  const all = assigned
    .filter(({ name, content }) => name !== '' || content.filled > 0)
    .map(({ number, name, use, content }) => ({
      number,
      name: name || `Column ${number}`,
      use,
      samples: content.samples,
    }));
  const byUse = new Map<ColumnUse, readonly number[]>();
  for (const { use, number } of all) if (use !== null) byUse.set(use, [...(byUse.get(use) ?? []), number - 1]);
  return { all, byUse, count: length, isNamed, problem: findProblem(assigned) };
}

/** The cells from which the use of a column is recognized. */
interface Content {
  readonly filled: number;
  readonly emails: number;
  readonly states: number;
  readonly optOuts: number;
  readonly samples: readonly string[];
}
const EMPTY: Content = { filled: 0, emails: 0, states: 0, optOuts: 0, samples: [] };

function addCell(content: Content, cell: string): Content {
  if (cell.trim() === '') return content;
  const filled = content.filled + 1;
  const samples = addSample(content.samples, cell);
  const isEmail = cell.includes('@') && isValidEmail(cell);
  if (isEmail) return { ...content, filled, samples, emails: content.emails + 1 };
  if (findState(cell) === null) return { ...content, filled, samples };
  return { ...content, filled, samples, states: content.states + 1, optOuts: content.optOuts + Number(isOptOut(cell)) };
}

function addSample(samples: readonly string[], cell: string): readonly string[] {
  if (samples.length === SAMPLES) return samples;
  const sample = cell.trim().slice(0, MAX_SAMPLE_LENGTH);
  return samples.includes(sample) ? samples : [...samples, sample];
}

interface Column {
  readonly number: number;
  readonly name: string;
  readonly content: Content;
}

function assignColumns(
  columns: readonly Column[],
  {
    isNamed,
    declarations,
    choices,
  }: {
    readonly isNamed: boolean;
    readonly declarations: FieldDeclarations;
    readonly choices: readonly ColumnChoice[];
  },
): readonly AssignedColumn[] {
  const chosen = new Map<number, ColumnUse | null>();
  for (const { use, column } of choices) {
    const found = findColumn(columns, column);
    if (found === undefined) throw new StorageError('invalid', `the file has no column ${JSON.stringify(column)}`);
    chosen.set(found.number, use);
  }
  const taken = [...chosen.values()].filter((use) => use !== null && !isRepeatable(use));
  const isPositional = !isNamed && columns[0] !== undefined && columns[0].content.emails > 0;
  const guess = (column: Column): ColumnUse | null => {
    const own = Object.keys(declarations).find((name) => name === column.name.toLowerCase());
    if (own !== undefined) return `fields.${own}`;
    const known = (isPositional && BY_POSITION[column.number - 1]) || findFieldByName(column.name);
    return known && !isOtherwiseUsed(column, known) ? known : column.content.optOuts > 0 ? 'state' : null;
  };
  const guessed = columns.map((column) => {
    const use = chosen.has(column.number) ? (chosen.get(column.number) ?? null) : guess(column);
    return { ...column, use: use !== null && taken.includes(use) && !chosen.has(column.number) ? null : use };
  });
  return findAddresses(guessed, chosen);
}

/** `state` may name a region, and a column without any answer is no question. */
function isOtherwiseUsed({ name, content }: Column, field: ImportField): boolean {
  return (isVagueStateName(name) && content.states === 0) || (field === 'opt_in' && content.filled === 0);
}

type AssignedColumn = Column & { readonly use: ColumnUse | null };

/** A number counts before a name. */
function findColumn(columns: readonly Column[], text: string): Column | undefined {
  return (
    columns.find(({ number }) => String(number) === text) ??
    columns.find(({ name }) => name === text) ??
    columns.find(({ name }) => normalizeName(name) !== '' && normalizeName(name) === normalizeName(text))
  );
}

/** A column may be called an address and be a street, so the cells decide which column has the addresses. */
function findAddresses(
  columns: readonly AssignedColumn[],
  chosen: ReadonlyMap<number, ColumnUse | null>,
): readonly AssignedColumn[] {
  if ([...chosen.values()].includes('email') || columns.every(({ content }) => content.emails === 0)) return columns;
  const named = columns.filter(({ use, content }) => use === 'email' && content.emails > 0);
  const isAddress = ({ number, use, content }: AssignedColumn) =>
    named.length > 0
      ? use === 'email' && content.emails > 0
      : !chosen.has(number) && content.emails * 2 > content.filled;
  return columns.map((column) => {
    const use = column.use === 'email' ? null : column.use;
    return { ...column, use: isAddress(column) ? 'email' : use };
  });
}

function findProblem(columns: readonly AssignedColumn[]): string | null {
  const uses = new Set(columns.map(({ use }) => use));
  if (!uses.has('email')) return 'no column has email addresses; choose the column that has them';
  for (const use of uses) {
    const [first, second] = columns.filter((column) => column.use === use);
    if (use === null || isRepeatable(use) || first === undefined || second === undefined) continue;
    return `columns ${first.number} and ${second.number} are both the ${use.replace('fields.', '')}; choose one`;
  }
  return null;
}
