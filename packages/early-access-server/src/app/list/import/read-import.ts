import {
  ATTRIBUTION_FIELDS,
  checkDeclarations,
  type FieldDeclarations,
  isStorageError,
  isValidEmail,
  MAX_LENGTH,
  parseFields,
  parseSignup,
  type SignupFields,
  StorageError,
} from 'early-access-kit/core';
import { readPrimaryTag } from '../../brand/language.ts';
import { MAIL_STATES } from '../../mail/message-state.ts';
import { MAX_CONSENT_LENGTH } from '../consent.ts';
import { CONFIRMATIONS, PERSON_STATES, type PersonState } from '../states.ts';
import { type ColumnChoice, type Columns, type ColumnUse, readColumns } from './columns.ts';
import { readCsvFile } from './csv-file.ts';
import { findFieldByName, type ImportField } from './import-fields.ts';
import { type DateOrder, parseTime } from './parse-time.ts';
import type { PersonRow } from './person-row.ts';
import { findState, parseYesNo } from './status-words.ts';

/** The source of people whose line names none. */
const DEFAULT_SOURCE = 'import';

/** Longer than any valid address. */
const MAX_ADDRESS_SHOWN = 320;

/** The data that a line of the file contains. */
type ImportLine = { readonly line: number } & (LinePerson | LineProblem);
interface LinePerson {
  readonly person: PersonRow;
  /** Whether the file has a date of theirs. Otherwise they sign up now, at the end of the line. */
  readonly isDated: boolean;
}
interface LineProblem {
  readonly problem: string;
  /** The cell of the address. */
  readonly address: string;
}

export interface ImportOptions {
  readonly now: number;
  /** The host's own fields. A column with the name of one holds its values. */
  readonly declarations: FieldDeclarations;
  /** The admin's choices of columns. */
  readonly choices: readonly ColumnChoice[];
  /** How to read dates such as 3/4/2026. Null: they are problems. */
  readonly dateOrder: DateOrder | null;
}

/** A file whose columns are known. */
export interface ImportReader {
  readonly columns: Columns;
  /** Empty if `columns` has a problem. */
  readonly lines: AsyncIterable<ImportLine>;
}

/**
 * Reads a CSV with one person per line. Throws a `StorageError` `invalid`, also while the lines are read, if the file is not such a file,
 * or too large.
 */
export async function readImport(file: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<ImportReader> {
  const csv = await readCsvFile(file, (cell) => isValidEmail(cell) || findFieldByName(cell) !== null);
  const columns = await readColumns(csv.lines(), options);
  async function* readLines(): AsyncGenerator<ImportLine, void, void> {
    if (columns.problem !== null) return;
    let isHeader = columns.isNamed;
    for await (const { line, cells } of csv.lines()) {
      if (!isHeader) yield { line, ...readLine({ cells, columns }, options) };
      isHeader = false;
    }
  }
  return { columns, lines: readLines() };
}

interface Row {
  readonly cells: readonly string[];
  readonly columns: Columns;
}

function readLine(row: Row, options: ImportOptions): LinePerson | LineProblem {
  const problem = checkCells(row);
  const [cell = ''] = listCells(row, 'email');
  const address = cell.trim().slice(0, MAX_ADDRESS_SHOWN);
  if (problem !== null) return { problem, address };
  try {
    return readPerson(row, options);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return { problem: error.message.replace(/^early-access-kit: /, ''), address };
  }
}

/** A spreadsheet runs what begins like this. The export puts an apostrophe in front of it. */
const FORMULA = /^\s*[=@]/;
const ESCAPED = /^'(?=[=+\-@])/;

function checkCells({ cells, columns: { all, count } }: Row): string | null {
  const used = all.flatMap(({ use, number }) => (use === null ? [] : [{ use, cell: cells[number - 1] ?? '' }]));
  if (cells.slice(count).some((cell) => cell.trim() !== '')) return `has more than ${count} columns`;
  if (used.some(({ cell }) => cell.includes('\ufffd'))) return 'is not UTF-8; save the file as CSV UTF-8';
  if (used.some(({ cell }) => cell.includes('\0'))) return 'contains a NUL character';
  // A value of a field may begin like one: every export puts an apostrophe in front of it.
  if (used.some(({ use, cell }) => !isOwn(use) && FORMULA.test(cell))) return 'contains a formula';
  return null;
}

function isOwn(use: ColumnUse): use is `fields.${string}` {
  return use.startsWith('fields.');
}

/** Blanks and invisible characters at both ends. */
const PADDING = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
const QUOTED = /^(['"`‘“])(.*)['"`’”]$/;

function readPerson(row: Row, { now, declarations, dateOrder }: ImportOptions): LinePerson {
  const readAll = (use: ImportField) => listCells(row, use).map(removeEscape);
  const read = (use: ImportField) => readAll(use)[0] ?? '';
  const readTime = (text: string, name: string) => checkTime(text, { name, now, dateOrder });
  /** The time, or only whether it happened. Null: the file does not say. */
  const readWhen = (use: ImportField): number | boolean | null => {
    const given = readAll(use).filter((text) => text !== '');
    const times = given.map((text) => parseYesNo(text) ?? readTime(text, use));
    return times.find((time) => typeof time === 'number') ?? times.find((time) => time === true) ?? times[0] ?? null;
  };
  const date = read('created_at');
  const signedUp = date === '' ? null : readTime(date, 'the date');
  const happened = {
    confirmed: readWhen('confirmed_at'),
    unsubscribed: readWhen('unsubscribed_at'),
    bounced: readWhen('bounced_at'),
    invited: readWhen('invited_at'),
    joined: readWhen('joined_at'),
  };
  const stated = [
    ...readAll('state').flatMap((text) => (text === '' ? [] : [parseState(text)])),
    ...readAll('opt_in').map(parseAnswer),
  ];
  const bouncedFrom = readChoice(read('bounced_from'), 'bounced_from', PERSON_STATES);
  const times = Object.values(happened).filter((time) => typeof time === 'number');
  const { email, source, session_id, referrer, fields, submission_id, ...attribution } = parseSignup(
    {
      email: read('email').replaceAll(PADDING, '').replace(QUOTED, '$2'),
      source: read('source') || DEFAULT_SOURCE,
      session_id: read('session_id') || null,
      referrer: read('referrer') || null,
      submission_id: 'imported',
      ...Object.fromEntries(
        ATTRIBUTION_FIELDS.map((field) => [field, read(field)]).filter(([, value]) => value !== ''),
      ),
      fields: readOwnFields(row, declarations),
    },
    declarations,
  );
  const all = { ...readOtherFields(read('other_fields')), ...fields };
  const timeOrNull = (time: number | boolean | null) => (typeof time === 'number' ? time : null);
  const person = {
    email,
    state: decideState(stated, happened, { signedUp, bouncedFrom }),
    created_at: signedUp ?? Math.min(now, ...times),
    confirmed_at: timeOrNull(happened.confirmed),
    unsubscribed_at: timeOrNull(happened.unsubscribed),
    bounced_at: timeOrNull(happened.bounced),
    bounced_from: bouncedFrom,
    confirmed_by: readChoice(read('confirmed_by'), 'confirmed_by', CONFIRMATIONS),
    invited_at: timeOrNull(happened.invited),
    joined_at: timeOrNull(happened.joined),
    source,
    session_id,
    referrer,
    attribution,
    ...(Object.keys(all).length > 0 && { fields: all }),
    consent_text: limitLength('consent_text', read('consent_text'), MAX_CONSENT_LENGTH),
    consent_page: limitLength('consent_page', read('consent_page'), MAX_LENGTH.page_url),
    language: readPrimaryTag(read('language')),
    mail_state: readChoice(read('mail_state'), 'mail_state', MAIL_STATES),
  };
  return { person, isDated: signedUp !== null || times.length > 0 };
}

function listCells({ cells, columns }: Row, use: ColumnUse): readonly string[] {
  return (columns.byUse.get(use) ?? []).map((index) => cells[index] ?? '');
}

function removeEscape(cell: string): string {
  return cell.trim().replace(ESCAPED, '');
}

/** Ends the problem of a date that can be read two ways. */
export const AMBIGUOUS = 'can be read two ways; choose whether the day or the month comes first, or write 2026-01-31';

function checkTime(
  text: string,
  { name, now, dateOrder }: { readonly name: string } & Pick<ImportOptions, 'now' | 'dateOrder'>,
): number {
  const time = parseTime(text.replaceAll(PADDING, '').replaceAll(/\s+/g, ' '), dateOrder);
  if (time === 'two-ways') throw new StorageError('invalid', `${name} ${AMBIGUOUS}`);
  if (time === null) throw new StorageError('invalid', `${name} must look like 2026-01-31 or 2026-01-31T12:00:00Z`);
  if (time > now) throw new StorageError('invalid', `${name} is in the future`);
  return time;
}

function parseState(text: string): PersonState {
  const state = findState(text);
  if (state !== null) return state;
  const states = PERSON_STATES.join(', ');
  throw new StorageError('invalid', `the state must be one of ${states}; correct it, or ignore the column`);
}

function parseAnswer(text: string): PersonState {
  const isIn = parseYesNo(text);
  const state = isIn === null ? findState(text) : isIn ? 'subscribed' : 'unsubscribed';
  if (state !== null) return state;
  throw new StorageError('invalid', 'opt_in must be yes or no; correct it, or ignore the column');
}

function readChoice<T extends string>(text: string, name: string, choices: readonly T[]): T | null {
  const choice = text === '' ? null : choices.find((known) => known === text.toLowerCase());
  if (choice !== undefined) return choice;
  throw new StorageError('invalid', `${name} must be one of ${choices.join(', ')}`);
}

function limitLength(name: string, text: string, max: number): string | null {
  if (text.length > max) throw new StorageError('invalid', `${name} must have at most ${max} characters`);
  return text || null;
}

/** If columns disagree, the first of these counts. */
const CAUTION: readonly PersonState[] = ['unsubscribed', 'bounced', 'pending', 'joined', 'invited', 'subscribed'];

type Happened = Readonly<
  Record<'confirmed' | 'unsubscribed' | 'bounced' | 'invited' | 'joined', number | boolean | null>
>;

/** An opt-out counts more than all other columns, except for a person who confirmed later, or has signed up again and is pending. */
function decideState(
  stated: readonly PersonState[],
  { confirmed, unsubscribed, bounced, invited, joined }: Happened,
  { signedUp, bouncedFrom }: { readonly signedUp: number | null; readonly bouncedFrom: PersonState | null },
): PersonState {
  const named = CAUTION.find((state) => stated.includes(state));
  if (unsubscribed !== null && unsubscribed !== false) {
    const isBefore = (time: number | boolean | null) =>
      typeof unsubscribed === 'number' && typeof time === 'number' && unsubscribed < time;
    if (!isBefore(confirmed) && !((bouncedFrom ?? named) === 'pending' && isBefore(signedUp))) return 'unsubscribed';
  }
  if (named !== undefined) return named;
  if (confirmed === false) return 'pending';
  if (bounced) return 'bounced';
  return joined ? 'joined' : invited ? 'invited' : 'subscribed';
}

/** Undefined for a person without any value: they are from before the declaration, and need none. */
function readOwnFields(row: Row, declarations: FieldDeclarations): Readonly<Record<string, string>> | undefined {
  const values = [...row.columns.byUse.keys()].filter(isOwn).flatMap((use) => {
    const name = use.slice('fields.'.length);
    const value = removeEscape(listCells(row, use)[0] ?? '');
    const field = declarations[name];
    if (value === '') return [];
    if (field?.type !== 'checkbox' || field.consent) return [[name, value] as const];
    const isChecked = parseYesNo(value);
    return isChecked === false ? [] : [[name, isChecked ? 'true' : value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** The values of fields that are no longer declared, as the export writes them. */
function readOtherFields(json: string): SignupFields | undefined {
  if (json === '') return undefined;
  try {
    const values: unknown = JSON.parse(json);
    const declarations = Object.entries(Object(values)).map(([label, value]) => [
      label,
      value === true ? { type: 'checkbox', label } : { type: 'text', label, maxLength: String(value).length },
    ]);
    return parseFields(checkDeclarations(Object.fromEntries(declarations)), values);
  } catch {
    throw new StorageError(
      'invalid',
      'other_fields must be as the export writes them; correct it, or ignore the column',
    );
  }
}
