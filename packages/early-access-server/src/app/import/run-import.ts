import { StorageError } from 'early-access-kit/core';
import { inSlices } from '../jobs/time-slices.ts';
import { planImport } from '../lifecycle/opt-out.ts';
import type { PersonState } from '../lifecycle/states.ts';
import type { ListStore, PersonImport } from '../ports/list-store.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import { type ColumnUse, type ImportColumn, listColumnUses } from './columns.ts';
import { newImport } from './import-name.ts';
import { type PersonRow, toImportedPerson } from './person-row.ts';
import { questionLog } from './questions.ts';
import { AMBIGUOUS, type ImportLine, type ImportOptions, readImport } from './read-import.ts';
import type { ValueQuestion } from './value-choices.ts';

/** People per transaction and per lookup. On SQLite, other requests wait about 4 ms for each. */
const BATCH = 100;
const MAX_LISTED_LINES = 100;
const MAX_LISTED_SOURCES = 20;

/**
 * `unsubscribed`: the person is on the list, and the line is their opt-out. `on-list`: the address is already on the
 * list. `repeated`: the address is in an earlier line. In both cases the person is not changed. `left-out`: the admin
 * chose this for a value of the line, or another line of the person has a problem and may be an opt-out.
 */
export type ImportResult = 'added' | 'unsubscribed' | 'on-list' | 'repeated' | 'left-out' | 'problem';

export interface ImportReportLine {
  readonly line: number;
  readonly result: ImportResult;
  /** Null if the line has a problem. */
  readonly person: Pick<PersonRow, 'email' | 'source' | 'created_at' | 'state'> | null;
  readonly problem: string | null;
  /** The address cell as it is in the file. */
  readonly address: string | null;
  /** The column with the problem, and its cell. Null: the problem concerns the whole line, or there is none. */
  readonly column: string | null;
  readonly value: string | null;
}

export interface ImportReport {
  /** The id of the import, for finding its people. Null: it added nobody. */
  readonly import_id: string | null;
  /** The columns of the file, and the uses that a column can have. */
  readonly columns: readonly ImportColumn[];
  readonly uses: readonly ColumnUse[];
  /** The choice to make before anyone can be imported, or null. Until then nobody is counted. */
  readonly problem: string | null;
  /** The columns about consent whose values the admin has to decide or has decided. */
  readonly questions: readonly ValueQuestion[];
  /** The lines before the header. */
  readonly skipped: readonly string[];
  /** How many of the added people have no signup date and therefore go to the end of the line. */
  readonly undated: number;
  /** How many of the added people are subscribed only because the admin ignored a value about consent. */
  readonly subscribed_by_ignoring: number;
  /** The encoding of the file, if it is neither UTF-8 nor UTF-16. */
  readonly encoding: string | null;
  /** True if there are ambiguous dates and no order was chosen. */
  readonly asks_date_order: boolean;
  readonly counts: Readonly<Record<ImportResult, number>>;
  /** The number of people added, by state and by source (the 20 largest sources). */
  readonly states: Readonly<Record<PersonState, number>>;
  readonly sources: readonly { readonly source: string; readonly people: number }[];
  /** The first lines, and the first lines with a problem: at most 100 of each. */
  readonly first: readonly ImportReportLine[];
  readonly problems: readonly ImportReportLine[];
}

/** Progress of an import, and its report at the end. */
export type ImportEvent =
  | { readonly type: 'progress'; readonly done: number; readonly people: number; readonly added: number }
  | { readonly type: 'done'; readonly report: ImportReport }
  | { readonly type: 'failed'; readonly message: string };

/** A file that has been read completely. */
export interface ImportFile
  extends Pick<
    ImportReport,
    'columns' | 'uses' | 'problem' | 'questions' | 'skipped' | 'encoding' | 'asks_date_order'
  > {
  /** The lines without a problem, each address once. Empty until `problem` is solved. */
  readonly people: readonly ImportEntry[];
  readonly others: readonly ImportReportLine[];
}

interface ImportEntry {
  readonly line: number;
  readonly person: PersonRow;
  readonly isDated: boolean;
  /** True if a value that may be an opt-out is ignored. */
  readonly isIgnoring: boolean;
}

/** If several lines of a person disagree, the strictest state wins. */
const STRICTNESS: readonly PersonState[] = ['pending', 'bounced', 'unsubscribed'];

/**
 * Reads the whole file before anything is stored, so that a broken file changes nothing. Throws the same errors as
 * `readImport`.
 */
export async function readImportFile(file: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<ImportFile> {
  const { columns, encoding, lines, dateProblem } = await readImport(file, options);
  const people = new Map<string, ImportEntry>();
  const leftOut = new Map<string, ImportEntry>();
  /** Addresses with a problem line that may be an opt-out. */
  const unclear = new Set<string>();
  const others: ImportReportLine[] = [];
  const questions = questionLog();
  for await (const read of lines) {
    if ('problem' in read) {
      const { optOutAddress, ...line } = read;
      others.push({ ...line, result: 'problem', person: null });
      if (optOutAddress !== null) unclear.add(optOutAddress);
      continue;
    }
    const entry = toEntry(read);
    const { email, state } = entry.person;
    questions.add(read.cells, email);
    if (read.isLeftOut) {
      leftOut.set(email, entry);
      continue;
    }
    const first = people.get(email);
    if (first === undefined) people.set(email, entry);
    else {
      others.push(toReportLine(entry, 'repeated'));
      const isStricter = STRICTNESS.indexOf(state) > STRICTNESS.indexOf(first.person.state);
      if (isStricter) people.set(email, { ...entry, line: first.line });
    }
  }
  for (const email of unclear) {
    const entry = people.get(email);
    if (entry !== undefined && !leftOut.has(email)) leftOut.set(email, entry);
  }
  for (const [email, entry] of leftOut) {
    // An opt-out counts in any line.
    if (people.get(email)?.person.state === 'unsubscribed') continue;
    people.delete(email);
    others.push(toReportLine(entry, 'left-out'));
  }
  const problem = columns.problem ?? questions.problem(columns.all) ?? dateProblem();
  return {
    columns: columns.all,
    uses: listColumnUses(options.declarations),
    problem,
    questions: questions.list(columns.all),
    skipped: columns.header.skipped,
    encoding,
    asks_date_order: others.some((line) => line.problem?.endsWith(AMBIGUOUS)),
    people: problem === null ? [...people.values()] : [],
    others: problem === null ? others : others.filter(({ result }) => result === 'problem'),
  };
}

function toEntry({ line, person, isDated, isIgnoring }: Exclude<ImportLine, { problem: string }>): ImportEntry {
  return { line, person, isDated, isIgnoring };
}

export const PROBLEM_COLUMNS = ['line', 'address', 'column', 'value', 'problem'] as const;

/** All lines with a problem, for a CSV with `PROBLEM_COLUMNS`. */
export function listProblems({ others }: ImportFile): readonly ImportReportLine[] {
  return others.filter(({ result }) => result === 'problem');
}

/** Throws a `StorageError` if the admin has to make a choice first. */
export function checkImportFile({ problem }: ImportFile): void {
  if (problem !== null) throw new StorageError('invalid', problem);
}

/** Returns the result that importing the file now would have. Stores nothing. */
export async function tryImport(file: ImportFile, store: Pick<PeopleStore, 'listed'>): Promise<ImportReport> {
  const counter = importCounter(file);
  for await (const batch of inSlices(splitBatches(file.people))) {
    const listed = await store.listed(batch.map(({ person }) => person.email));
    const { results } = planImport(
      batch.map(({ person }) => person),
      listed,
    );
    for (const [index, entry] of batch.entries()) counter.count(entry, toImportResult(results[index]));
  }
  return counter.report();
}

function toImportResult(result: PersonImport = 'duplicate'): ImportResult {
  return result === 'duplicate' ? 'on-list' : result;
}

interface RunOptions {
  readonly store: Pick<ListStore, 'importPeople'>;
  readonly welcome: boolean;
  /** The name of the file. It may be too long to store. */
  readonly name?: string;
}

/**
 * Adds the people in batches, one transaction each. An interrupted import is continued by importing the same file
 * again, because people on the list are skipped. Each call is a separate import.
 */
export async function* runImport(
  file: ImportFile,
  { store, welcome, name = '' }: RunOptions,
): AsyncGenerator<ImportEvent, void, void> {
  const record = newImport(name);
  const counter = importCounter(file);
  const people = file.people.length;
  let done = 0;
  yield { type: 'progress', done, people, added: 0 };
  for (const batch of splitBatches(file.people)) {
    const results = await store.importPeople(
      batch.map(({ person }) => toImportedPerson(person)),
      { welcome, import: record },
    );
    for (const [index, entry] of batch.entries()) {
      counter.count(entry, toImportResult(results[index]));
    }
    done += batch.length;
    yield { type: 'progress', done, people, added: counter.added() };
  }
  yield { type: 'done', report: { ...counter.report(), import_id: counter.added() > 0 ? record.id : null } };
}

function* splitBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

function toReportLine({ line, person }: ImportEntry, result: ImportResult): ImportReportLine {
  const { email, source, created_at, state } = person;
  return {
    line,
    result,
    person: { email, source, created_at, state },
    problem: null,
    address: email,
    column: null,
    value: null,
  };
}

/** Counts results person by person, in the order of the file: counting all lines at the end would block requests. */
function importCounter({ people: _, others, ...file }: ImportFile) {
  const counts = { added: 0, unsubscribed: 0, 'on-list': 0, repeated: 0, 'left-out': 0, problem: 0 };
  let [undated, ignoring] = [0, 0];
  const states = { pending: 0, subscribed: 0, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 };
  const sources = new Map<string, number>();
  const first: ImportReportLine[] = [];
  for (const { result } of others) counts[result] += 1;
  return {
    count(entry: ImportEntry, result: ImportResult): void {
      const { state, source } = entry.person;
      counts[result] += 1;
      if (first.length < MAX_LISTED_LINES) first.push(toReportLine(entry, result));
      if (result !== 'added') return;
      states[state] += 1;
      if (!entry.isDated) undated += 1;
      if (entry.isIgnoring) ignoring += 1;
      sources.set(source, (sources.get(source) ?? 0) + 1);
    },
    added: () => counts.added,
    report(): ImportReport {
      return {
        ...file,
        import_id: null,
        undated,
        subscribed_by_ignoring: ignoring,
        counts,
        states,
        sources: [...sources]
          .map(([source, count]) => ({ source, people: count }))
          .sort((a, b) => b.people - a.people)
          .slice(0, MAX_LISTED_SOURCES),
        first: [...first, ...others.slice(0, MAX_LISTED_LINES)]
          .sort((a, b) => a.line - b.line)
          .slice(0, MAX_LISTED_LINES),
        problems: others.filter(({ result }) => result === 'problem').slice(0, MAX_LISTED_LINES),
      };
    },
  };
}
