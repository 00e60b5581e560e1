import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import type { Clock, Log } from 'early-access-server/internal';
import type { Firestore } from 'firebase-admin/firestore';
import { pages, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import {
  type ArchiveState,
  loadRows,
  type Part,
  partsWithin,
  readState,
  replaceParts,
  rewriteParts,
  saveState,
  startOfHour,
  stateRef,
} from './archive.ts';
import { dailyBound, startOfDay } from './count.ts';
import { inOrder, isCounted, readRows } from './documents.ts';
import { rowPruner } from './prune-rows.ts';
import { pack, type Row } from './rows.ts';

/** A browser may change a session for a day after its start, plus an hour for late requests. */
const SETTLED_MS = DAY_MS + HOUR_MS;

/** Parts merged per transaction, which may write 10 MiB. */
const MERGED_PARTS = 8;

/** People per query. */
const PAGE = 1_000;

/** Returns the UTC midnight before which sessions no longer change. */
export function settledUntil(now: number): number {
  return startOfDay(now - SETTLED_MS);
}

/**
 * Updates the archive. Reads each session at most four times: soon after its start, after its hour, after the next
 * hour, and when its day is final. Starts nothing new after `withinMs`; the next call continues.
 */
export async function rollUp(firestore: Firestore, clock: Clock, withinMs: number, log: Log): Promise<void> {
  const read = (from: number, to: number) => readRows(firestore, from, to, log);
  const start = clock();
  let failure: unknown = null;
  do {
    const state = readState(await stateRef(firestore).get());
    if (state === null) {
      if (!(await createState(firestore, clock()))) return;
      continue;
    }
    const now = clock();
    const hour = startOfHour(now);
    if (state.final_until < settledUntil(now) && failure === null) {
      // A day that cannot be counted must not block the newest hours.
      failure = await finishDay(firestore, state, read).then(
        () => null,
        (error: unknown) => error,
      );
    } else if (state.joined_until < hour) {
      await markJoined(firestore, state, hour);
    } else if (state.hours_until < hour) {
      const from = Math.max(state.final_until, state.hours_until - HOUR_MS);
      await replaceRecent(firestore, state, from, await read(from, hour), { hours_until: hour, read_until: hour });
      // Earlier hours are not read again until their day is final.
      await mergeHours(firestore, from);
    } else {
      await replaceRecent(firestore, state, state.read_until, await read(state.read_until, now), { read_until: now });
      break;
    }
  } while (clock() - start < withinMs);
  if (failure !== null) throw failure;
}

/**
 * Returns the time of the first stored session, and of the first session or signup. Imported people are not signups.
 */
export async function firstTimes(tx: Transaction) {
  const first = (collection: string, field: string) => tx.find(tx.collection(collection).orderBy(field).limit(1));
  const [[session], [signup]] = await Promise.all([
    first(COLLECTIONS.sessions, 'session_start'),
    first(COLLECTIONS.signups, 'created_at'),
  ]);
  const started: unknown = session?.get('session_start');
  const signedUp = signup && isCounted(signup.data()) ? signupTime(signup.data()) : null;
  const times = [typeof started === 'number' ? started : null, signedUp] as const;
  const known = times.filter((time) => time !== null);
  return { session: times[0], any: known.length === 0 ? null : Math.min(...known) };
}

/** Returns false if nothing is stored yet. */
function createState(firestore: Firestore, now: number): Promise<boolean> {
  return transact(firestore, async (tx) => {
    const { any: first } = await firstTimes(tx);
    if (first === null) return false;
    // A session that arrives later may have an earlier start.
    const origin = Math.min(startOfDay(first), settledUntil(now));
    const empty = {
      version: 0,
      origin,
      final_until: origin,
      hours_until: origin,
      read_until: origin,
      joined_until: startOfHour(now),
      pruned_until: 0,
      parts: [],
    };
    saveState(tx, empty, {});
    return true;
  });
}

/** Runs `change` in a transaction, unless the archive has changed since `state` was read. */
function changeArchive(firestore: Firestore, { version }: ArchiveState, change: (tx: Transaction) => Promise<void>) {
  return transact(firestore, async (tx) => {
    const current = readState(await tx.get(stateRef(tx)));
    if (current?.version === version) await change(tx);
  });
}

/** Replaces the archived rows since `from`, which must not be later than the new ones. */
async function replaceRecent(
  firestore: Firestore,
  state: ArchiveState,
  from: number,
  rows: readonly Row[],
  changes: Partial<ArchiveState>,
): Promise<void> {
  // Without rows, saving would be useless: reading the same period again costs the same.
  if (rows.length === 0 && changes.hours_until === undefined) return;
  // Parts of earlier hours, including final ones, are not replaced.
  const replaced = Map.groupBy(
    state.parts.filter((part) => startOfHour(part.from) >= startOfHour(from)),
    (part) => startOfHour(part.from),
  );
  const added = Map.groupBy(rows, ({ at }) => startOfHour(at));
  const rewrites = [...new Set([...replaced.keys(), ...added.keys()])].map((hour) => ({
    kind: 'recent' as const,
    parts: replaced.get(hour) ?? [],
    change: (stored: Row[]) => inOrder([...stored.filter(({ at }) => at < from), ...(added.get(hour) ?? [])]),
  }));
  await changeArchive(firestore, state, (tx) => rewriteParts(tx, state, rewrites, changes));
}

/** Merges the recent rows of the UTC day that ends at `until`, because a view is billed one read per part. */
function mergeHours(firestore: Firestore, until: number): Promise<void> {
  return transact(firestore, async (tx) => {
    const state = readState(await tx.get(stateRef(tx)));
    const parts = partsWithin(state?.parts ?? [], startOfDay(until - 1), until)
      .filter(({ kind, to }) => kind === 'recent' && to < until)
      .slice(-MERGED_PARTS);
    if (state === null || parts.length < 2) return;
    await rewriteParts(tx, state, [{ kind: 'recent', parts, change: (rows) => rows }]);
  });
}

/** Marks archived signups of people who joined before this hour. One document read is billed per person, once. */
async function markJoined(firestore: Firestore, state: ArchiveState, hour: number): Promise<void> {
  // A transaction may store a time earlier than its end.
  const since = state.joined_until - MINUTE_MS;
  const joined = firestore
    .collection(COLLECTIONS.signups)
    .where('joined_at', '>=', since)
    .where('joined_at', '<', hour);
  const times = new Set<number>();
  for await (const page of pages(joined.orderBy('joined_at'), PAGE)) {
    for (const person of page) if (isCounted(person.data())) times.add(signupTime(person.data()));
  }
  const changed = state.parts.filter(({ from, to }) => [...times].some((time) => from <= time && time <= to));
  const change = (rows: Row[]) =>
    rows.map((row) => (row.visitor === null && times.has(row.at) ? { ...row, joined: true } : row));
  const rewrites = changed.map((part) => ({ kind: part.kind, parts: [part], change }));
  await changeArchive(firestore, state, (tx) => rewriteParts(tx, state, rewrites, { joined_until: hour }));
}

type ReadRows = (from: number, to: number) => Promise<Row[]>;

/** Moves the day after `final_until` to the final rows, and anonymizes rows whose sessions are deleted. */
async function finishDay(firestore: Firestore, state: ArchiveState, read: ReadRows): Promise<void> {
  const end = state.final_until + DAY_MS;
  const boundOf = dailyBound();
  const rows = (await read(state.final_until, end)).map((row) => ({ ...row, ...boundOf(row) }));
  await changeArchive(firestore, state, async (tx) => {
    const first = (await firstTimes(tx)).session ?? end;
    const recent = partsWithin(state.parts, 0, end).filter(({ kind }) => kind === 'recent');
    const others = state.parts.filter((part) => !recent.includes(part));
    const isSession = ({ visitor }: Row) => visitor !== null;
    const sessionParts = others.filter(({ kind }) => kind === 'sessions');
    const expired = sessionParts.filter((part) => part.from < first && part.to >= state.pruned_until);
    // Most returning visitors return soon, so the next part contains their next session.
    const [afterExpired] = expired.length === 0 ? [] : sessionParts.filter(({ from }) => from >= first);
    const pruneRow = rowPruner(first);
    const added = new Map<Part['kind'], readonly Row[]>([
      ['sessions', rows.filter(isSession)],
      ['signups', rows.filter((row) => !isSession(row))],
    ]);
    const parts: Part[] = [];
    for (const part of others) {
      const isLast = part === others.findLast(({ kind }) => kind === part.kind);
      if (!isLast && !expired.includes(part) && part !== afterExpired) {
        parts.push(part);
        continue;
      }
      const before = (await loadRows(tx, [part])).map(pruneRow);
      const all = [...before, ...(isLast ? (added.get(part.kind) ?? []) : [])];
      // Fills the last part before starting another one.
      const fits = pack(all).length <= 1;
      parts.push(...replaceParts(tx, part.kind, [part], fits ? all : before));
      if (fits && isLast) added.delete(part.kind);
    }
    for (const [kind, left] of added) parts.push(...replaceParts(tx, kind, [], left));
    replaceParts(tx, 'recent', recent, []);
    saveState(tx, state, {
      parts,
      final_until: end,
      hours_until: Math.max(end, state.hours_until),
      read_until: Math.max(end, state.read_until),
      ...(expired.length > 0 && { pruned_until: first }),
    });
  });
}
