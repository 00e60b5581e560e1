import { type FieldDeclarations, isValidEmail, StorageError } from 'early-access-kit/core';
import { findOptOut, type Polarity, readColumnName, readValue } from './consent-words.ts';
import { type CsvLine, invalidLine } from './csv-file.ts';
import { findHeader, HEAD_LINES, type Header } from './header.ts';
import {
  countOtherWords,
  findFieldByName,
  getConsentField,
  getPolarity,
  IMPORT_FIELDS,
  type ImportField,
  isConsentField,
  rankDateName,
} from './import-fields.ts';
import { looksLikeTime } from './parse-time.ts';
import { normalizeWords, rememberResults } from './words.ts';

export const MAX_IMPORT_LINES = 100_000;
const MAX_COLUMNS = 1_000;

/** A field of our own, or `fields.` and the name of one of the host's fields. */
export type ColumnUse = ImportField | `fields.${string}`;

/** A column of the file and its use; null if it is ignored. Numbers start at 1. */
export interface ImportColumn {
  readonly number: number;
  readonly name: string;
  readonly use: ColumnUse | null;
  /** The first distinct values, shortened. */
  readonly samples: readonly string[];
}

const SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 80;

/** A column whose values express consent. */
export interface ConsentColumn extends Pick<ImportColumn, 'number' | 'name'> {
  readonly polarity: Polarity;
  /** True if only values that contain a word for an opt-out concern consent. */
  readonly isHint: boolean;
  readonly isOwnState: boolean;
  /** True if the admin chose another use or no use for it. */
  readonly isIgnored: boolean;
  /** True if an empty cell may be an opt-out, because other cells have a value. */
  readonly asksEmpty: boolean;
}

export interface Columns {
  readonly all: readonly ImportColumn[];
  /** The numbers of the columns by use. */
  readonly byUse: ReadonlyMap<ColumnUse, readonly number[]>;
  readonly consent: readonly ConsentColumn[];
  /** The largest number of columns that a line may have. */
  readonly count: number;
  readonly header: Header;
  /** The choice that the admin has to make before anyone can be imported, or null. */
  readonly problem: string | null;
}

/** An admin's choice, which overrides the column's name. `column` is its number or name. */
export interface ColumnChoice {
  readonly use: ColumnUse | null;
  readonly column: string;
}

const IGNORE = 'ignore';

/** Parses choices such as `email=Work address` and `ignore=3`. Throws a `StorageError` if one has another format. */
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

export function listColumnUses(declarations: FieldDeclarations): readonly ColumnUse[] {
  return [...IMPORT_FIELDS, ...Object.keys(declarations).map((name): ColumnUse => `fields.${name}`)];
}

/** The columns of a file that has no names and starts with an address. */
const BY_POSITION: readonly ImportField[] = ['email', 'source', 'created_at', 'state'];

/**
 * Decides the use of each column: by the admin's choice, otherwise by its name, otherwise by its cells in the whole
 * file. Throws a `StorageError` if the file contains nobody or too many people.
 */
export async function readColumns(
  file: { lines(): AsyncIterable<CsvLine> },
  { declarations, choices }: { readonly declarations: FieldDeclarations; readonly choices: readonly ColumnChoice[] },
): Promise<Columns> {
  const header = await readHeader(file.lines());
  let people = 0;
  const contents: Content[] = [];
  const readers = { readOptOut: rememberResults(findOptOut), readMeaning: rememberResults(readValue) };
  const mayBeRegion = header.names?.map((name) => readColumnName(name) === 'region') ?? [];
  for await (const { line, cells } of file.lines()) {
    if (line <= header.lastLine) continue;
    people += 1;
    if (people > MAX_IMPORT_LINES) {
      throw invalidLine(line, `there are more than ${MAX_IMPORT_LINES} people; split the file`);
    }
    for (const [index, cell] of cells.entries()) {
      contents[index] ??= emptyContent();
      addCell(contents[index], cell, readers);
      contents[index].hasState ||= mayBeRegion[index] === true && isState(cell);
    }
  }
  if (people === 0) throw new StorageError('invalid', 'the file has no people');
  const length = header.names?.length ?? contents.length;
  if (length > MAX_COLUMNS) throw new StorageError('invalid', `the file has more than ${MAX_COLUMNS} columns`);
  const columns = Array.from({ length }, (_, index) => ({
    number: index + 1,
    name: header.names?.[index]?.trim() ?? '',
    content: contents[index] ?? emptyContent(),
  }));
  const assigned = assignColumns(columns, { header, declarations, choices })
    .filter(({ name, content }) => name !== '' || content.filled > 0)
    .map((column) => ({ ...column, name: column.name || `Column ${column.number}` }));
  const byUse = new Map<ColumnUse, readonly number[]>();
  for (const { use, number } of assigned) if (use !== null) byUse.set(use, [...(byUse.get(use) ?? []), number - 1]);
  return {
    all: assigned.map(({ number, name, use, content }) => ({ number, name, use, samples: content.samples })),
    byUse,
    consent: assigned.flatMap((column) => findConsent(column, people)),
    count: length,
    header,
    problem: findProblem(assigned, header),
  };
}

async function readHeader(lines: AsyncIterable<CsvLine>): Promise<Header> {
  const head: CsvLine[] = [];
  for await (const line of lines) {
    head.push(line);
    if (head.length === HEAD_LINES) break;
  }
  return findHeader(head);
}

/** Statistics about a column's cells, from which its use is inferred. */
interface Content {
  filled: number;
  emails: number;
  dates: number;
  /** True if a cell contains a state, an opt-out (in a column with any name), or words for one. */
  hasState: boolean;
  hasOptOut: boolean;
  mentionsOptOut: boolean;
  /** The yes and no values found; undefined if a cell contains anything else. */
  answers: ReadonlySet<'yes' | 'no'> | undefined;
  /** True if all cells are numbers. In that case 0 and 1 may be counts. */
  isNumeric: boolean;
  samples: readonly string[];
}
const emptyContent = (): Content => ({
  ...{ filled: 0, emails: 0, dates: 0 },
  ...{ hasState: false, hasOptOut: false, mentionsOptOut: false, answers: new Set(), isNumeric: true, samples: [] },
});

const LETTERS = /\p{L}{2}/u;

/** Longer cells are not yes-or-no values. */
const MAX_ANSWER_LENGTH = 12;

interface CellReaders {
  readonly readOptOut: typeof findOptOut;
  readonly readMeaning: typeof readValue;
}

function addCell(content: Content, cell: string, { readOptOut, readMeaning }: CellReaders): void {
  const text = cell.trim();
  if (text === '') return;
  content.filled += 1;
  content.samples = addSample(content.samples, cell);
  content.isNumeric &&= /^\d+$/.test(text);
  const meaning = content.answers !== undefined && text.length <= MAX_ANSWER_LENGTH ? readMeaning(text) : null;
  if (meaning !== 'yes' && meaning !== 'no') content.answers = undefined;
  else if (!content.answers?.has(meaning)) content.answers = new Set(content.answers).add(meaning);
  if (cell.includes('@')) {
    content.emails += Number(isValidEmail(cell));
    return;
  }
  content.dates += Number(looksLikeTime(cell));
  const optOut = LETTERS.test(cell) ? readOptOut(cell) : null;
  content.hasOptOut ||= optOut === 'says';
  content.mentionsOptOut ||= optOut === 'mentions';
}

function isState(cell: string): boolean {
  const value = readValue(cell);
  return value !== null && value !== 'yes' && value !== 'no';
}

function addSample(samples: readonly string[], cell: string): readonly string[] {
  if (samples.length === SAMPLES) return samples;
  const sample = cell.trim().slice(0, MAX_SAMPLE_LENGTH);
  return samples.includes(sample) ? samples : [...samples, sample];
}

interface Column {
  readonly number: number;
  readonly name: string;
  readonly content: Readonly<Content>;
}

/** A column with its use. `polarity`: how its values express consent, if they do. */
interface AssignedColumn extends Column {
  readonly use: ColumnUse | null;
  readonly polarity: Polarity | 'hint' | null;
  /** True for the state column of our own export, where a cell may be empty. */
  readonly isOwnState: boolean;
  readonly isChosen: boolean;
}

function assignColumns(
  columns: readonly Column[],
  {
    header,
    declarations,
    choices,
  }: {
    readonly header: Header;
    readonly declarations: FieldDeclarations;
    readonly choices: readonly ColumnChoice[];
  },
): readonly AssignedColumn[] {
  const chosen = new Map<number, ColumnUse | null>();
  const findColumn = columnFinder(columns);
  for (const { use, column } of choices) {
    const found = findColumn(column);
    if (found === undefined) throw new StorageError('invalid', `the file has no column ${JSON.stringify(column)}`);
    chosen.set(found.number, use);
  }
  const taken = new Set<ColumnUse | null>([...chosen.values()].filter((use) => use !== null && !isConsentField(use)));
  const isPositional = header.names === null && columns[0] !== undefined && columns[0].content.emails > 0;
  const assigned = columns.map((column): AssignedColumn => {
    const own = Object.keys(declarations).find((name) => name === column.name.toLowerCase());
    const known = (isPositional && BY_POSITION[column.number - 1]) || findFieldByName(column.name);
    // Tags from other products may say that a person has unsubscribed, and so may a column with the name of an own field.
    const ownPolarity = column.content.hasOptOut ? 'hint' : null;
    const polarity = own === undefined ? findPolarity(column, known === 'labels' ? null : known || null) : ownPolarity;
    const found = polarity !== null && polarity !== 'hint' ? getConsentField(polarity) : known || null;
    const guess =
      own !== undefined ? (`fields.${own}` as const) : found === 'state' && polarity === null ? null : found;
    const isChosen = chosen.has(column.number);
    const use = isChosen ? (chosen.get(column.number) ?? null) : guess !== null && taken.has(guess) ? null : guess;
    return { ...column, use, polarity, isOwnState: known === 'state', isChosen };
  });
  return findDates(findAddresses(assigned, taken), taken);
}

/** Determines how a column expresses consent: by its name, otherwise by its cells. */
function findPolarity({ name, content }: Column, known: ImportField | null): Polarity | 'hint' | null {
  if (known !== null && isConsentField(known) && known !== 'state') return getPolarity(known);
  if (known === 'state' && name === '') return 'status';
  if (known !== null && known !== 'state') return null;
  const named = readColumnName(name);
  if (named === 'region') return content.hasState ? 'status' : null;
  if (named !== null || content.hasOptOut) return named ?? 'status';
  // The column contains both yes and no, so the question may be about email, in words that are not in the vocabulary.
  if (content.answers?.size === 2 && (!content.isNumeric || name.includes('?'))) return 'doubt';
  return content.mentionsOptOut ? 'hint' : null;
}

/** Returns the column if its cells express consent, even if it has another use as well. */
function findConsent(column: AssignedColumn, people: number): readonly ConsentColumn[] {
  const { number, name, use, isOwnState, isChosen, content } = column;
  if (use === 'email' || content.filled === 0) return [];
  const isConsent = use !== null && isConsentField(use);
  const polarity = isChosen && isConsent ? getPolarity(use) : column.polarity;
  if (polarity === null || (polarity === 'hint' && use === 'created_at')) return [];
  return [
    {
      ...{ number, name },
      polarity: polarity === 'hint' ? 'status' : polarity,
      isHint: polarity === 'hint',
      isOwnState,
      isIgnored: isChosen && !isConsent && use !== 'created_at',
      asksEmpty: ['in', 'confirmed', 'status'].includes(polarity) && !isOwnState && content.filled < people,
    },
  ];
}

/** Finds a column by its number, otherwise by its exact name, otherwise by its name in another spelling. */
export function columnFinder<T extends Pick<Column, 'number' | 'name'>>(columns: readonly T[]) {
  // If several columns have the same name, the first one is used.
  const byText = new Map(
    [
      ...columns.map((column) => [normalizeWords(column.name), column] as const).reverse(),
      ...columns.map((column) => [column.name, column] as const).reverse(),
      ...columns.map((column) => [String(column.number), column] as const),
    ].filter(([text]) => text !== ''),
  );
  return (text: string): T | undefined => byText.get(text) ?? byText.get(normalizeWords(text));
}

/** A column named "address" may contain streets, so its cells are checked as well. */
function findAddresses(columns: readonly AssignedColumn[], taken: ReadonlySet<ColumnUse | null>) {
  if (taken.has('email') || columns.every(({ content }) => content.emails === 0)) return columns;
  const named = columns.flatMap(({ number, name, content, use, isChosen }) => {
    const others = use === 'email' ? 0 : countOtherWords(name);
    return isChosen || others === null || content.emails === 0 ? [] : [{ number, others }];
  });
  const least = Math.min(...named.map(({ others }) => others));
  const isAddress = ({ number, content, isChosen }: AssignedColumn) =>
    named.length > 0
      ? named.some((column) => column.number === number && column.others === least)
      : !isChosen && content.emails * 2 > content.filled;
  return columns.map((column) => {
    const use = column.use === 'email' ? null : column.use;
    return { ...column, use: isAddress(column) ? ('email' as const) : use };
  });
}

/** The signup date is found by the column's name, and its cells must be dates. */
function findDates(columns: readonly AssignedColumn[], taken: ReadonlySet<ColumnUse | null>) {
  if (taken.has('created_at') || columns.some(({ use }) => use === 'created_at')) return columns;
  const named = columns.flatMap(({ number, name, content, use, polarity, isChosen }) => {
    const isFree = use === null || (use === 'opt_in' && polarity === 'in');
    const rank = isFree && !isChosen && content.dates * 2 >= content.filled ? rankDateName(name) : null;
    return rank === null ? [] : [{ number, rank }];
  });
  const best = Math.min(...named.map(({ rank }) => rank));
  return columns.map((column) => {
    const isDate = named.some(({ number, rank }) => number === column.number && rank === best);
    return isDate ? { ...column, use: 'created_at' as const } : column;
  });
}

function findProblem(columns: readonly AssignedColumn[], { skipped }: Header): string | null {
  const note = skipped.find((text) => findOptOut(text) !== null);
  if (note !== undefined) {
    return `a line above the names of the columns may be about an opt-out: "${note}"; remove it, and say in a column "state" what these people are`;
  }
  const uses = new Set(columns.map(({ use }) => use));
  if (!uses.has('email')) return 'no column has email addresses; choose the column that has them';
  for (const use of uses) {
    const [first, second] = columns.filter((column) => column.use === use);
    if (use === null || isConsentField(use) || first === undefined || second === undefined) continue;
    const names = [first, second].map(({ number, name }) => `${number} (${name})`);
    return `columns ${names.join(' and ')} are both the ${use.replace('fields.', '')}; choose one`;
  }
  return null;
}
