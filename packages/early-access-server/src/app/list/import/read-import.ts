import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type FieldDeclarations, isStorageError, isValidEmail, parseSignup, StorageError } from 'early-access-kit/core';
import type { ImportedPerson } from '../../ports/list-store.ts';
import { readField } from '../../signup/read-field.ts';
import { PERSON_STATES, type PersonState } from '../states.ts';

export const MAX_IMPORT_LINES = 100_000;
export const MAX_IMPORT_BYTES = 20_000_000;
/** Longer than any line with a person in it. */
const MAX_LINE_BYTES = 40_000;
/** The source of people whose line names none. */
const DEFAULT_SOURCE = 'import';

const FIELDS = ['email', 'source', 'date', 'state'] as const;
type Field = (typeof FIELDS)[number];
/** Names of columns in lower case. `created_at` is that of the export. Columns with other names are ignored. */
const COLUMN_NAMES: Readonly<Record<Field, readonly string[]>> = {
  email: ['email', 'e-mail', 'address', 'email address', 'e-mail address'],
  source: ['source'],
  date: ['date', 'created_at', 'signed up'],
  state: ['state'],
};

/** The data that a line of the file contains. */
export type ImportLine = { readonly line: number } & (
  | { readonly person: ImportedPerson }
  | { readonly problem: string }
);

/**
 * Reads a CSV with one person per line, separated by commas, semicolons or tabs. The first line may name the columns; without names they
 * are address, source, date and state, in this order. A column with the name of one of the host's own fields holds its values. Throws a `StorageError` `invalid` with the line's number if the file is not such a
 * file, or too large.
 */
export async function* readImport(
  file: AsyncIterable<Uint8Array>,
  now: number,
  declarations: FieldDeclarations,
): AsyncGenerator<ImportLine, void, void> {
  const csv = parse({
    bom: true,
    delimiter: [',', ';', '\t'],
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    info: true,
  });
  // It destroys the parser with the error, which the loop below throws.
  pipeline(limited(file), csv).catch(() => {});
  let columns: Columns | null = null;
  let lines = 0;
  try {
    for await (const row of csv) {
      const { line, cells } = toRow(row);
      const isFirst = columns === null;
      columns ??= readColumns(cells, line, declarations);
      if (isFirst && columns.isNamed) continue;
      lines += 1;
      if (lines > MAX_IMPORT_LINES)
        throw refused(line, `there are more than ${MAX_IMPORT_LINES} people; split the file`);
      yield { line, ...judge(cells, columns, { now, declarations }) };
    }
  } catch (error) {
    throw error instanceof CsvError ? explain(error) : error;
  }
  if (columns === null) throw new StorageError('invalid', 'the file is empty');
}

async function* limited(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > MAX_IMPORT_BYTES) {
      throw new StorageError('invalid', `the file is larger than ${MAX_IMPORT_BYTES / 1e6} MB; split it`);
    }
    yield chunk;
  }
}

/** A record of the parser, whose types say nothing about it. */
function toRow(row: unknown): { readonly line: number; readonly cells: readonly string[] } {
  const [record, info] = [readField(row, 'record'), readField(row, 'info')];
  const line = readField(info, 'lines');
  if (!Array.isArray(record) || typeof line !== 'number') throw new TypeError('the CSV parser returned no record');
  return { line, cells: record.map(String) };
}

function explain({ code, lines }: CsvError): StorageError {
  const line = Number(lines);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refused(line, `is longer than ${MAX_LINE_BYTES} bytes, or a quote is not closed`);
  if (code === 'CSV_QUOTE_NOT_CLOSED') return refused(line, 'a quote is not closed');
  return refused(line, 'is not CSV');
}

function refused(line: number, problem: string): StorageError {
  return new StorageError('invalid', `line ${line}: ${problem}`);
}

interface Columns {
  /** Whether the first line has names, and no person. */
  readonly isNamed: boolean;
  readonly count: number;
  /** Where each field is; missing ones are not in the file. */
  readonly at: Partial<Record<Field, number>>;
  /** Where each of the host's own fields is. */
  readonly own: ReadonlyMap<string, number>;
}

function readColumns(cells: readonly string[], line: number, declarations: FieldDeclarations): Columns {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const at: Partial<Record<Field, number>> = {};
  const place = (field: string, known: readonly string[]) => {
    const [first, second] = names.flatMap((name, index) => (known.includes(name) ? [index] : []));
    if (second !== undefined)
      throw refused(line, `columns ${(first ?? 0) + 1} and ${second + 1} are both the ${field}`);
    return first;
  };
  for (const field of FIELDS) {
    // A field of the host's own may be called `address` or `date`.
    const index = place(
      field,
      COLUMN_NAMES[field].filter((name) => !Object.hasOwn(declarations, name)),
    );
    if (index !== undefined) at[field] = index;
  }
  const own = new Map<string, number>();
  for (const name of Object.keys(declarations)) {
    const index = place(name, [name]);
    if (index !== undefined) own.set(name, index);
  }
  if (at.email !== undefined) return { isNamed: true, count: cells.length, at, own };
  if (isValidEmail(cells[0] ?? '')) return BY_POSITION;
  throw refused(line, `name the columns, such as ${FIELDS.join(',')}, or begin with a person: address first`);
}

const BY_POSITION: Columns = {
  isNamed: false,
  count: FIELDS.length,
  at: { email: 0, source: 1, date: 2, state: 3 },
  own: new Map(),
};

/** A spreadsheet runs what begins like this. The export puts an apostrophe in front of it. */
const FORMULA = /^\s*[=@]/;
const ESCAPED = /^'(?=[=+\-@])/;

function judge(
  cells: readonly string[],
  { at, count, own }: Columns,
  { now, declarations }: { readonly now: number; readonly declarations: FieldDeclarations },
): { readonly person: ImportedPerson } | { readonly problem: string } {
  const readCell = (field: Field) => cells[at[field] ?? -1] ?? '';
  const readText = (field: Field) => unescaped(readCell(field));
  const ownCells = [...own].map(([name, index]) => [name, cells[index] ?? ''] as const);
  const known = FIELDS.map(readCell);
  const all = [...known, ...ownCells.map(([, cell]) => cell)];
  if (cells.slice(count).some((cell) => cell.trim() !== '')) return { problem: `has more than ${count} columns` };
  if (all.some((cell) => cell.includes('\ufffd'))) return { problem: 'is not UTF-8; save the file as CSV UTF-8' };
  if (all.some((cell) => cell.includes('\0'))) return { problem: 'contains a NUL character' };
  // A value of a field may begin like one: every export puts an apostrophe in front of it.
  if (known.some((cell) => FORMULA.test(cell))) return { problem: 'contains a formula' };
  const created_at = readText('date') === '' ? now : parseTime(readText('date'));
  if (created_at === null) return { problem: 'the date must look like 2026-01-31 or 2026-01-31T12:00:00Z' };
  if (created_at > now) return { problem: 'the date is in the future' };
  const state = parseState(readText('state'));
  if (state === null) return { problem: `the state must be one of ${PERSON_STATES.join(', ')}` };
  try {
    const signup = {
      email: readText('email'),
      source: readText('source') || DEFAULT_SOURCE,
      submission_id: 'imported',
      fields: ownValues(ownCells, declarations),
    };
    const { email, source, fields } = parseSignup(signup, declarations);
    return { person: { email, source, created_at, state, ...(fields && { fields }) } };
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return { problem: error.message.replace(/^early-access-kit: /, '') };
  }
}

function unescaped(cell: string): string {
  return cell.trim().replace(ESCAPED, '');
}

const UNCHECKED = /^(false|no|off|0)$/i;
const CHECKED = /^(true|yes|on|1|x)$/i;

/** Undefined for a person without any value: they are from before the declaration, and need none. */
function ownValues(
  cells: readonly (readonly [name: string, cell: string])[],
  declarations: FieldDeclarations,
): Readonly<Record<string, string>> | undefined {
  const values = cells.flatMap(([name, cell]) => {
    const value = unescaped(cell);
    const field = declarations[name];
    if (field?.type !== 'checkbox' || field.consent) return value === '' ? [] : [[name, value] as const];
    if (UNCHECKED.test(value) || value === '') return [];
    return [[name, CHECKED.test(value) ? 'true' : value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** Empty: they are on the list like anyone who signed up. */
function parseState(text: string): PersonState | null {
  const name = text.toLowerCase() || 'subscribed';
  return PERSON_STATES.find((state) => state === name) ?? null;
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Epoch milliseconds of a day or a time, in UTC if it names no zone. Null for anything else. */
function parseTime(text: string): number | null {
  const [, day, clock = '00:00', zone = 'Z'] = DATE.exec(text) ?? [];
  if (day === undefined) return null;
  // `Date` turns the 30th of February into a day in March.
  const start = new Date(`${day}T00:00Z`);
  const time = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day) && time >= 0 ? time : null;
}
