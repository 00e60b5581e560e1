import { HOUR_MS } from 'early-access-kit/internal';
import type { DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { inOrder } from './documents.ts';
import { pack, type Row, unpack } from './rows.ts';

/**
 * The archive contains the rows of all sessions and signups, packed into few documents, which `state` lists. Rows of
 * the last two days are `recent` and are replaced while their sessions change. Rows of final days only change when
 * their sessions have been deleted.
 */
export type PartKind = 'recent' | 'sessions' | 'signups';

/** A document with rows. `from` and `to` are the times of its first and last row. */
export interface Part {
  readonly id: string;
  readonly kind: PartKind;
  readonly from: number;
  readonly to: number;
}

export interface ArchiveState {
  /** Changes with each update, so that an update computed from an older state is dropped. */
  readonly version: number;
  /** The start of the first UTC day. */
  readonly origin: number;
  /** A UTC midnight. Earlier rows are final. */
  readonly final_until: number;
  /** A full hour. Sessions of earlier hours were read after the end of their hour. */
  readonly hours_until: number;
  /** Earlier sessions were read at least once. */
  readonly read_until: number;
  /** A full hour. Signup rows include people who joined before it. */
  readonly joined_until: number;
  /** Earlier session rows no longer contain their visitor. */
  readonly pruned_until: number;
  readonly parts: readonly Part[];
}

export function stateRef(reader: DocumentReader): DocumentReference {
  return reader.collection(COLLECTIONS.analytics).doc('state');
}

function partRef(reader: DocumentReader, id: string): DocumentReference {
  return reader.collection(COLLECTIONS.analyticsParts).doc(id);
}

/** Null before the first roll-up. Only the application writes this document. */
export function readState(snapshot: DocumentSnapshot): ArchiveState | null {
  if (!snapshot.exists) return null;
  const time = (field: string) => Number(snapshot.get(field));
  return {
    version: time('version'),
    origin: time('origin'),
    final_until: time('final_until'),
    hours_until: time('hours_until'),
    read_until: time('read_until'),
    joined_until: time('joined_until'),
    pruned_until: time('pruned_until'),
    parts: snapshot.get('parts'),
  };
}

/** Returns the start of the hour. Recent rows of different hours are in different parts. */
export function startOfHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}

/** Returns the parts that have rows in the period from `from` to `to` (exclusive). */
export function partsWithin(parts: readonly Part[], from: number, to: number): readonly Part[] {
  return parts.filter((part) => part.from < to && part.to >= from);
}

/** Returns the rows of the parts, ordered by time. One document read is billed per part. */
export async function loadRows(reader: DocumentReader, parts: readonly Part[]): Promise<Row[]> {
  if (parts.length === 0) return [];
  const documents = await reader.getAll(...parts.map(({ id }) => partRef(reader, id)));
  return inOrder(documents.flatMap((document) => (document.exists ? unpack(document.get('rows')) : [])));
}

/** Maximum number of compressed parts in memory. */
const PARTS_AT_ONCE = 16;

/**
 * Yields the rows of the parts and of `more`, ordered by time. Parts are unpacked when their time is reached, so the
 * archive may be larger than the memory. Parts for which `keeps` returns false are left out.
 */
export async function* rowsInOrder(
  reader: DocumentReader,
  parts: readonly Part[],
  { more, keeps }: { readonly more: readonly Row[]; readonly keeps: (row: Row) => boolean },
): AsyncGenerator<readonly Row[], void, void> {
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  let waiting = inOrder([...more]);
  for (let start = 0; start < sorted.length; start += PARTS_AT_ONCE) {
    const some = sorted.slice(start, start + PARTS_AT_ONCE);
    const documents = await reader.getAll(...some.map(({ id }) => partRef(reader, id)));
    for (const [index, document] of documents.entries()) {
      const rows = document.exists ? unpack(document.get('rows')).filter(keeps) : [];
      waiting = inOrder([...waiting, ...rows]);
      const next = sorted[start + index + 1]?.from ?? Number.POSITIVE_INFINITY;
      const end = waiting.findIndex(({ at }) => at >= next);
      yield waiting.splice(0, end < 0 ? waiting.length : end);
    }
  }
  yield waiting;
}

/** Replaces parts with new ones for these ordered rows, reusing their documents. Returns the new parts. */
export function replaceParts(tx: Transaction, kind: PartKind, replaced: readonly Part[], rows: readonly Row[]): Part[] {
  const ids = replaced.map(({ id }) => id);
  const parts = pack(rows).map(({ rows: packed, bytes }): Part => {
    const id = ids.shift() ?? tx.collection(COLLECTIONS.analyticsParts).doc().id;
    tx.set(partRef(tx, id), { rows: bytes });
    return { id, kind, from: packed[0]?.at ?? 0, to: packed.at(-1)?.at ?? 0 };
  });
  for (const id of ids) tx.delete(partRef(tx, id));
  return parts;
}

/** Stores the state that follows `before`. */
export function saveState(tx: Transaction, before: ArchiveState, changes: Partial<ArchiveState>): void {
  const parts = (changes.parts ?? before.parts).map((part) => ({ ...part })).sort((a, b) => a.from - b.from);
  tx.set(stateRef(tx), { ...before, ...changes, version: before.version + 1, parts });
}

/** Parts of one kind whose rows change. */
interface Rewrite {
  readonly kind: PartKind;
  readonly parts: readonly Part[];
  /** Returns the new rows, ordered by time. */
  readonly change: (rows: Row[]) => Row[];
}

/** Stores the changed rows, and the state that lists the new parts. */
export async function rewriteParts(
  tx: Transaction,
  state: ArchiveState,
  rewrites: readonly Rewrite[],
  changes: Partial<ArchiveState> = {},
): Promise<void> {
  const replaced = rewrites.flatMap(({ parts }) => parts);
  const written = await Promise.all(
    rewrites.map(async ({ kind, parts, change }) => replaceParts(tx, kind, parts, change(await loadRows(tx, parts)))),
  );
  const others = state.parts.filter((part) => !replaced.includes(part));
  saveState(tx, state, { ...changes, parts: [...others, ...written.flat()] });
}

/** Removes a row, or replaces it with another one of the same time. */
export interface RowChange {
  readonly row: Pick<Row, 'at' | 'visitor'>;
  readonly replacement: Row | null;
}

/**
 * Changes archived rows. Rows that are not archived yet are read from their documents later. Drops a running roll-up.
 */
export async function changeRows(tx: Transaction, changes: readonly RowChange[]): Promise<void> {
  const state = changes.length === 0 ? null : readState(await tx.get(stateRef(tx)));
  if (state === null) return;
  const changed = state.parts.filter((part) => changes.some(({ row: { at } }) => part.from <= at && at <= part.to));
  const open = [...changes];
  const change = (rows: Row[]) =>
    rows.flatMap((row) => {
      const index = open.findIndex((change) => change.row.at === row.at && change.row.visitor === row.visitor);
      const [change] = index < 0 ? [] : open.splice(index, 1);
      if (change === undefined) return [row];
      return change.replacement === null ? [] : [{ ...change.replacement, previous: row.previous }];
    });
  const rewrites = changed.map((part) => ({ kind: part.kind, parts: [part], change }));
  await rewriteParts(tx, state, rewrites);
}
