import type { FieldDeclarations } from 'early-access-kit/core';
import type { ImportedPerson, ListStore } from '../../ports/list-store.ts';
import type { PeopleStore } from '../../ports/people-store.ts';
import { readImport } from './read-import.ts';

/** People that one transaction adds, and one question asks about. */
const BATCH = 500;
/** Lines that a report names one by one. */
const MAX_LISTED_LINES = 100;

/** `on-list`: the address is on the list already. `repeated`: it is in an earlier line of the file. Both are left as they are. */
export type ImportResult = 'added' | 'on-list' | 'repeated' | 'problem';

/** The effect of an import on a line. */
export interface ImportReportLine {
  readonly line: number;
  readonly result: ImportResult;
  /** Null if the line has a problem. */
  readonly person: ImportedPerson | null;
  readonly problem: string | null;
}

/** The effect of an import, done or planned. */
export interface ImportReport {
  readonly counts: Readonly<Record<ImportResult, number>>;
  /** The first lines, and the first ones with a problem: at most 100 of each. */
  readonly first: readonly ImportReportLine[];
  readonly problems: readonly ImportReportLine[];
}

/** How far an import is, and in the end its report. */
export type ImportEvent =
  | { readonly type: 'progress'; readonly done: number; readonly people: number; readonly added: number }
  | { readonly type: 'done'; readonly report: ImportReport }
  | { readonly type: 'failed'; readonly message: string };

/** A file that was read to its end. */
export interface ImportFile {
  /** The lines without a problem, each address once. */
  readonly people: readonly (ImportReportLine & { readonly person: ImportedPerson })[];
  /** The other lines. */
  readonly skipped: readonly ImportReportLine[];
}

/** Reads the whole file before anything is stored: a file that cannot be read changes nothing. Throws as `readImport` does. */
export async function readImportFile(
  file: AsyncIterable<Uint8Array>,
  now: number,
  fields: FieldDeclarations = {},
): Promise<ImportFile> {
  const known = new Set<string>();
  const people = [];
  const skipped: ImportReportLine[] = [];
  for await (const entry of readImport(file, now, fields)) {
    const { line } = entry;
    if ('problem' in entry) {
      skipped.push({ line, result: 'problem', person: null, problem: entry.problem });
    } else if (known.has(entry.person.email)) {
      skipped.push({ line, result: 'repeated', person: entry.person, problem: null });
    } else {
      known.add(entry.person.email);
      people.push({ line, result: 'added', person: entry.person, problem: null } as const);
    }
  }
  return { people, skipped };
}

/** Returns the effect of an import of the file now. Stores nothing. */
export async function tryImport(file: ImportFile, store: Pick<PeopleStore, 'listed'>): Promise<ImportReport> {
  const onList = new Set<string>();
  for (const batch of splitBatches(file.people)) {
    for (const email of await store.listed(batch.map(({ person }) => person.email))) onList.add(email);
  }
  return createReport(file, onList);
}

/**
 * Adds the people in batches, each in one transaction. If it is interrupted, the same import continues where it ended, because people on
 * the list are skipped.
 */
export async function* runImport(
  file: ImportFile,
  { store, welcome }: { readonly store: Pick<ListStore, 'importPeople'>; readonly welcome: boolean },
): AsyncGenerator<ImportEvent, void, void> {
  const onList = new Set<string>();
  let done = 0;
  yield { type: 'progress', done, people: file.people.length, added: 0 };
  for (const batch of splitBatches(file.people)) {
    const people = batch.map(({ person }) => person);
    const results = await store.importPeople(people, { welcome });
    for (const [index, { email }] of people.entries()) if (results[index] === 'duplicate') onList.add(email);
    done += batch.length;
    yield { type: 'progress', done, people: file.people.length, added: done - onList.size };
  }
  yield { type: 'done', report: createReport(file, onList) };
}

function* splitBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

function createReport({ people, skipped }: ImportFile, onList: ReadonlySet<string>): ImportReport {
  const read = people.map((entry) =>
    onList.has(entry.person.email) ? ({ ...entry, result: 'on-list' } as const) : entry,
  );
  const lines = [...read, ...skipped].sort((a, b) => a.line - b.line);
  const counts = { added: 0, 'on-list': 0, repeated: 0, problem: 0 };
  for (const { result } of lines) counts[result] += 1;
  return {
    counts,
    first: lines.slice(0, MAX_LISTED_LINES),
    problems: lines.filter(({ result }) => result === 'problem').slice(0, MAX_LISTED_LINES),
  };
}
