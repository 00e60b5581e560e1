import {
  ATTRIBUTION_FIELDS,
  checkDeclarations,
  type FieldDeclarations,
  isStorageError,
  isValidEmail,
  MAX_LENGTH,
  normalizeEmail,
  parseFields,
  parseSignup,
  type SignupFields,
  StorageError,
} from 'early-access-kit/internal';
import { readPrimaryTag } from '../brand/language.ts';
import { CONFIRMATIONS, PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import { MAIL_STATES } from '../mail/message-state.ts';
import { MAX_CONSENT_LENGTH } from '../people/consent.ts';
import { MAX_LABEL_LENGTH, MAX_LABELS, splitLabels } from '../people/labels.ts';
import { type ColumnChoice, type Columns, type ColumnUse, type ImportColumn, readColumns } from './columns.ts';
import { type Consent, mayNotWant, readConsent, type ValueMeanings } from './consent-cells.ts';
import { readValue } from './consent-words.ts';
import { readCsvFile } from './csv-file.ts';
import { isUnderstood } from './header.ts';
import type { ImportField } from './import-fields.ts';
import { DATE_ORDERS, type DateOrder, findDateOrder, parseTime } from './parse-time.ts';
import type { PersonRow } from './person-row.ts';
import { resolveValueChoices, type ValueChoice } from './value-choices.ts';
import { rememberResults } from './words.ts';

const DEFAULT_SOURCE = 'import';

/** Longer than any valid address. */
const MAX_CELL_SHOWN = 320;

export type ImportLine = { readonly line: number } & (LinePerson | LineProblem);
interface LinePerson extends Pick<Consent, 'cells' | 'isIgnoring' | 'isLeftOut'> {
  readonly person: PersonRow;
  /**
   * True if the file contains a date for this person. Otherwise the import is their signup date, and they go to the end
   * of the line.
   */
  readonly isDated: boolean;
}
interface LineProblem {
  readonly problem: string;
  /** The address cell. */
  readonly address: string;
  /** The column with the problem, and its cell; null if the problem concerns the whole line. */
  readonly column: string | null;
  readonly value: string | null;
  /** The address of a person who may not want email, so that no other line subscribes it. Null if there is none. */
  readonly optOutAddress: string | null;
}

export interface ImportOptions {
  readonly now: number;
  /** The host's own fields. Columns with their names contain their values. */
  readonly declarations: FieldDeclarations;
  /** The admin's decisions about columns and about values that express consent. */
  readonly choices: readonly ColumnChoice[];
  readonly values?: readonly ValueChoice[];
  /** How to read dates such as 3/4/2026. Null: they become questions. */
  readonly dateOrder: DateOrder | null;
}

interface DateCell {
  readonly line: number;
  readonly text: string;
}

export interface ImportReader {
  readonly columns: Columns;
  /** The encoding, if it is neither UTF-8 nor UTF-16. */
  readonly encoding: string | null;
  /** Empty if `columns` has a problem. */
  readonly lines: AsyncIterable<ImportLine>;
  /** Why dates in the lines read so far are ambiguous, or null. */
  dateProblem(): string | null;
}

/**
 * Reads a CSV with one person per line. If the file is not such a file or is too large, throws a `StorageError` with
 * code `invalid`, either at once or while the lines are read.
 */
export async function readImport(file: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<ImportReader> {
  const csv = await readCsvFile(file, isUnderstood);
  const read = await readColumns(csv, options);
  const meanings = resolveValueChoices(options.values ?? [], read.all);
  const columns = { ...read, consent: addChosenColumns(read, meanings) };
  const dates = dateLog();
  const remembered = rememberResults(readValue);
  async function* readLines(): AsyncGenerator<ImportLine, void, void> {
    if (columns.problem !== null) return;
    for await (const { line, cells } of csv.lines()) {
      if (line <= columns.header.lastLine) continue;
      const row = { line, cells, columns, meanings, dates, readValue: remembered };
      yield { line, ...readLine(row, options) };
    }
  }
  return {
    columns,
    encoding: csv.encoding,
    lines: readLines(),
    dateProblem: () => dates.findProblem(options.dateOrder),
  };
}

/** Adds the columns that are not about consent but contain values that the admin decided. */
function addChosenColumns({ all, consent }: Columns, meanings: ValueMeanings): Columns['consent'] {
  const isOther = ({ number, use }: ImportColumn) =>
    use !== 'email' && meanings.has(number) && !consent.some((column) => column.number === number);
  const chosen = all.filter(isOther).map(({ number, name }) => ({
    ...{ number, name, polarity: 'status' as const },
    ...{ isHint: true, isOwnState: false, isIgnored: false, asksEmpty: false },
  }));
  return [...consent, ...chosen];
}

/** Records the first ambiguous date, and the first date that proves each order. */
function dateLog() {
  let unclear: DateCell | null = null;
  const proofs = new Map<DateOrder, DateCell>();
  return {
    add(text: string, line: number): void {
      const order = findDateOrder(text);
      if (order !== null && !proofs.has(order)) proofs.set(order, { line, text });
      if (order === null && parseTime(text, null) === 'two-ways') unclear ??= { line, text };
    },
    findProblem(chosen: DateOrder | null): string | null {
      const other = DATE_ORDERS.find((order) => order !== chosen);
      const proof = chosen === null || other === undefined ? undefined : proofs.get(other);
      if (proof !== undefined) {
        return `the dates are not ${chosen}: line ${proof.line} has ${proof.text}; choose ${other}, or correct the line`;
      }
      if (chosen !== null || unclear === null) return null;
      const shown = [...proofs].map(([order, { line, text }]) => `, and line ${line} has ${text}, which is ${order}`);
      return `line ${unclear.line} has ${unclear.text}, which can be read two ways${shown.join('')}; choose ${DATE_ORDERS.join(' or ')}`;
    },
  };
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  readonly columns: Columns;
  readonly meanings: ValueMeanings;
  readonly dates: ReturnType<typeof dateLog>;
  readonly readValue: typeof readValue;
}

function readLine(row: Row, options: ImportOptions): LinePerson | LineProblem {
  const problem = checkCells(row);
  if (problem !== null) return describeProblem(row, problem.text, problem.number);
  try {
    return readPerson(row, options);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    const text = error.message.replace(/^early-access-kit: /, '');
    // Messages start with the name of the field that they are about.
    const use = text.startsWith('the date ') ? 'created_at' : text.split(' ')[0];
    const column = row.columns.all.find((candidate) => candidate.use === use);
    return describeProblem(row, text, column?.number ?? null);
  }
}

function describeProblem(row: Row, problem: string, number: number | null): LineProblem {
  const [address = ''] = listCells(row, 'email');
  return {
    problem,
    address: shorten(address),
    column: row.columns.all.find((column) => column.number === number)?.name ?? null,
    value: number === null ? null : shorten(row.cells[number - 1] ?? ''),
    optOutAddress: findOptOutAddress(row),
  };
}

/** Reads the times as far as possible, because one of them may be the line's problem. */
function findOptOutAddress(row: Row): string | null {
  const email = cleanEmail(listCells(row, 'email')[0] ?? '');
  if (!isValidEmail(email)) return null;
  const consent = readConsent(row.cells.map(removeEscape), row.columns.consent, {
    ...row,
    readTime: (text) => (parseTime(cleanTime(text), 'day-first') === null ? null : 0),
  });
  return mayNotWant(consent) ? normalizeEmail(email) : null;
}

function shorten(cell: string): string {
  return cell.trim().slice(0, MAX_CELL_SHOWN);
}

/** Spreadsheets run text that starts like this, so our export adds an apostrophe in front of it. */
const FORMULA = /^\s*[=@]/;
const ESCAPED = /^'(?=[=+\-@])/;

function checkCells({ cells, columns: { all, consent, count } }: Row): { text: string; number: number | null } | null {
  if (cells.slice(count).some((cell) => cell.trim() !== '')) {
    return { text: `has more than ${count} columns`, number: null };
  }
  const isRead = new Set(consent.map(({ number }) => number));
  const used = all.filter(({ use, number }) => use !== null || isRead.has(number));
  const checks: readonly (readonly [string, (cell: string, use: ColumnUse | null) => boolean])[] = [
    ['is not UTF-8; save the file as CSV UTF-8', (cell) => cell.includes('\ufffd')],
    ['contains a NUL character', (cell) => cell.includes('\0')],
    // Values of the host's fields may start like a formula, because every export adds the apostrophe.
    ['contains a formula', (cell, use) => use !== null && !isOwn(use) && FORMULA.test(cell)],
  ];
  for (const [text, isWrong] of checks) {
    const column = used.find(({ use, number }) => isWrong(cells[number - 1] ?? '', use));
    if (column !== undefined) return { text, number: column.number };
  }
  return null;
}

function isOwn(use: ColumnUse): use is `fields.${string}` {
  return use.startsWith('fields.');
}

/** White space and invisible characters at both ends. */
const PADDING = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
const QUOTED = /^(['"`‘“])(.*)['"`’”]$/;

function readPerson(row: Row, { now, declarations, dateOrder }: ImportOptions): LinePerson {
  const readAll = (use: ImportField) => listCells(row, use).map(removeEscape);
  const read = (use: ImportField) => readAll(use)[0] ?? '';
  const readTime = (text: string, name: string) => {
    row.dates.add(cleanTime(text), row.line);
    return checkTime(text, { name, now, dateOrder });
  };
  const isTime = (text: string) => parseTime(cleanTime(text), dateOrder) !== null;
  const consent = readConsent(row.cells.map(removeEscape), row.columns.consent, {
    meanings: row.meanings,
    readValue: row.readValue,
    readTime(text, field) {
      if (!isTime(text)) return null;
      return field === 'state' || field === 'opt_in' ? now : readTime(text, field);
    },
  });
  /** A time, or true or false if the file only says whether it happened. Null: the file does not say. */
  const readWhen = (use: ImportField): number | boolean | null => {
    const text = read(use);
    const answer = text === '' ? null : readValue(text);
    return text === '' ? null : answer === 'yes' || answer === 'no' ? answer === 'yes' : readTime(text, use);
  };
  const date = read('created_at');
  // An invalid date in a column about consent is a question for the admin rather than a problem.
  const isAsked = row.columns.consent.some(({ number }) => row.columns.byUse.get('created_at')?.includes(number - 1));
  const signedUp = date === '' || (isAsked && !isTime(date)) ? null : readTime(date, 'the date');
  const invited = readWhen('invited_at');
  const joined = readWhen('joined_at');
  const bouncedFrom = readChoice(read('bounced_from'), 'bounced_from', PERSON_STATES);
  const state = decideState(consent, { invited, joined, signedUp, bouncedFrom });
  const optOuts = consent.optOuts.filter((time) => time !== null);
  const unsubscribed = optOuts.length === 0 ? null : Math.max(...optOuts);
  const times = [consent.confirmed, unsubscribed, consent.bounced, invited, joined].filter(
    (time) => typeof time === 'number',
  );
  const { email, source, session_id, referrer, fields, submission_id, ...attribution } = parseSignup(
    {
      email: cleanEmail(read('email')),
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
    state,
    created_at: signedUp ?? Math.min(now, ...times),
    confirmed_at: timeOrNull(consent.confirmed),
    unsubscribed_at: unsubscribed,
    bounced_at: timeOrNull(consent.bounced),
    bounced_from: bouncedFrom,
    confirmed_by: readChoice(read('confirmed_by'), 'confirmed_by', CONFIRMATIONS),
    invited_at: timeOrNull(invited),
    joined_at: timeOrNull(joined),
    source,
    session_id,
    referrer,
    attribution,
    ...(Object.keys(all).length > 0 && { fields: all }),
    consent_text: limitLength('consent_text', read('consent_text'), MAX_CONSENT_LENGTH),
    consent_page: limitLength('consent_page', read('consent_page'), MAX_LENGTH.page_url),
    language: readPrimaryTag(read('language')),
    ...readLabels(read('labels')),
    mail_state: readChoice(read('mail_state'), 'mail_state', MAIL_STATES),
  };
  // Nothing overrides an opt-out, so there is nothing left to decide.
  const isOut = state === 'unsubscribed';
  return {
    person,
    isDated: signedUp !== null || times.length > 0,
    cells: isOut ? consent.cells.filter(({ meaning }) => meaning !== null) : consent.cells,
    isIgnoring: consent.isIgnoring && ['subscribed', 'invited', 'joined'].includes(state),
    isLeftOut: consent.isLeftOut && !isOut,
  };
}

function listCells({ cells, columns }: Row, use: ColumnUse): readonly string[] {
  return (columns.byUse.get(use) ?? []).map((index) => cells[index] ?? '');
}

function removeEscape(cell: string): string {
  return cell.trim().replace(ESCAPED, '');
}

/** The text that follows an ambiguous date in an error message. */
export const AMBIGUOUS = 'can be read two ways; choose whether the day or the month comes first, or write 2026-01-31';

function cleanEmail(text: string): string {
  return text.replaceAll(PADDING, '').replace(QUOTED, '$2');
}

function cleanTime(text: string): string {
  return text.replaceAll(PADDING, '').replaceAll(/\s+/g, ' ');
}

function checkTime(
  text: string,
  { name, now, dateOrder }: { readonly name: string } & Pick<ImportOptions, 'now' | 'dateOrder'>,
): number {
  const time = parseTime(cleanTime(text), dateOrder);
  if (time === 'two-ways') throw new StorageError('invalid', `${name} ${AMBIGUOUS}`);
  if (time === null) throw new StorageError('invalid', `${name} must look like 2026-01-31 or 2026-01-31T12:00:00Z`);
  if (time > now) throw new StorageError('invalid', `${name} is in the future`);
  return time;
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

/** If columns disagree, the first of these wins. */
const CAUTION: readonly PersonState[] = ['unsubscribed', 'bounced', 'pending', 'joined', 'invited', 'subscribed'];

/**
 * An opt-out or a bounce wins, unless the person confirmed later or is pending after a new signup. The state column of
 * our own export already takes everything else into account.
 */
function decideState(
  { stated, ownState, optOuts, bounced, confirmed }: Consent,
  {
    invited,
    joined,
    signedUp,
    bouncedFrom,
  }: Readonly<Record<'invited' | 'joined', number | boolean | null>> & {
    readonly signedUp: number | null;
    readonly bouncedFrom: PersonState | null;
  },
): PersonState {
  const named = CAUTION.find((state) => stated.includes(state));
  const isPending = (bouncedFrom ?? named) === 'pending';
  const isSuperseded = (time: number | boolean | null) =>
    typeof time === 'number' &&
    ((typeof confirmed === 'number' && time < confirmed) || (isPending && signedUp !== null && time < signedUp));
  if (!optOuts.every(isSuperseded)) return 'unsubscribed';
  if (ownState !== null && named !== undefined) return named;
  const happened = [
    ...(bounced && !isSuperseded(bounced) ? ['bounced' as const] : []),
    ...(confirmed === false ? ['pending' as const] : []),
  ];
  const strictest = CAUTION.find((state) => [...stated, ...happened].includes(state));
  return strictest ?? (joined ? 'joined' : invited ? 'invited' : 'subscribed');
}

/** Undefined for people without any value: they signed up before the fields were declared, and need none. */
function readOwnFields(row: Row, declarations: FieldDeclarations): Readonly<Record<string, string>> | undefined {
  const values = [...row.columns.byUse.keys()].filter(isOwn).flatMap((use) => {
    const name = use.slice('fields.'.length);
    const value = removeEscape(listCells(row, use)[0] ?? '');
    const field = declarations[name];
    if (value === '') return [];
    if (field?.type !== 'checkbox' || field.consent) return [[name, value] as const];
    const answer = readValue(value);
    return answer === 'no' ? [] : [[name, answer === 'yes' ? 'true' : value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function readLabels(cell: string): Pick<PersonRow, 'labels'> {
  const labels = splitLabels(cell);
  if (labels === null) {
    throw new StorageError(
      'invalid',
      `labels must be at most ${MAX_LABELS} texts of at most ${MAX_LABEL_LENGTH} characters, separated by commas; correct them, or ignore the column`,
    );
  }
  return labels.length === 0 ? {} : { labels };
}

/** Values of fields that are no longer declared, in the format of our export. */
function readOtherFields(json: string): SignupFields | undefined {
  if (json === '') return undefined;
  try {
    const values: unknown = JSON.parse(json);
    const declarations = Object.entries(Object(values)).map(([label, value]) => [
      label,
      value === true ? { type: 'checkbox', label } : { type: 'textarea', label, maxLength: String(value).length },
    ]);
    return parseFields(checkDeclarations(Object.fromEntries(declarations)), values);
  } catch {
    throw new StorageError(
      'invalid',
      'other_fields must be as the export writes them; correct it, or ignore the column',
    );
  }
}
