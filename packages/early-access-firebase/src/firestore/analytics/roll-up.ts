import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import type { Clock, Log } from 'early-access-server/stores';
import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import {
  type ArchiveState,
  loadRows,
  type Part,
  partsWithin,
  readState,
  replaceParts,
  saveState,
  startOfHour,
  stateRef,
} from './archive.ts';
import { dailyBound, startOfDay } from './count.ts';
import { inOrder, isCounted, readRows } from './documents.ts';
import { rowPruner } from './prune-rows.ts';
import { pack, type Row } from './rows.ts';

/** A browser may change a session for a day after its start; the last change has arrived an hour later. */
const SETTLED_MS = DAY_MS + HOUR_MS;

/** Days before this UTC midnight no longer change. */
export function settledUntil(now: number): number {
  return startOfDay(now - SETTLED_MS);
}

/**
 * Brings the archive up to date. Reads each session at most four times: once soon after it started, after its hour, after the next hour,
 * and when its day is final. Starts nothing new after `withinMs`; the next call continues.
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
      // A day that cannot be counted must not stop the newest hours.
      failure = await finishDay(firestore, state, read).then(
        () => null,
        (error: unknown) => error,
      );
    } else if (state.hours_until < hour) {
      const from = Math.max(state.final_until, state.hours_until - HOUR_MS);
      await replaceRecent(firestore, state, from, await read(from, hour), { hours_until: hour, read_until: hour });
    } else {
      await replaceRecent(firestore, state, state.read_until, await read(state.read_until, now), { read_until: now });
      break;
    }
  } while (clock() - start < withinMs);
  if (failure !== null) throw failure;
}

/** The time of the first stored session, and of the first signup unless it is imported. */
export async function firstTimes(
  firestore: Firestore,
  transaction: Pick<Transaction, 'get'>,
): Promise<{ readonly session: number | null; readonly signup: number | null }> {
  const first = (collection: string, field: string) =>
    transaction.get(firestore.collection(collection).orderBy(field).limit(1));
  const [sessions, signups] = await Promise.all([
    first(COLLECTIONS.sessions, 'session_start'),
    first(COLLECTIONS.signups, 'created_at'),
  ]);
  const [session, signup] = [sessions.docs[0], signups.docs[0]];
  const started: unknown = session?.get('session_start');
  return {
    session: typeof started === 'number' ? started : null,
    signup: signup === undefined || !isCounted(signup.data()) ? null : signupTime(signup.data()),
  };
}

/** Returns false if nothing is stored yet. */
function createState(firestore: Firestore, now: number): Promise<boolean> {
  return transact(firestore, async (transaction) => {
    const { session, signup } = await firstTimes(firestore, transaction);
    const first = Math.min(session ?? Number.POSITIVE_INFINITY, signup ?? Number.POSITIVE_INFINITY);
    if (first === Number.POSITIVE_INFINITY) return false;
    // A session that arrives later may have started earlier.
    const origin = Math.min(startOfDay(first), settledUntil(now));
    const empty = {
      version: 0,
      origin,
      final_until: origin,
      hours_until: origin,
      read_until: origin,
      pruned_until: 0,
      parts: [],
    };
    saveState(firestore, transaction, empty, {});
    return true;
  });
}

/** Runs `change` in a transaction, unless the archive has changed since `state` was read. */
function changeArchive(
  firestore: Firestore,
  { version }: ArchiveState,
  change: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  return transact(firestore, async (transaction) => {
    const current = readState(await transaction.get(stateRef(firestore)));
    if (current?.version === version) await change(transaction);
  });
}

/** Stores the rows in place of the archived ones since `from`, none of which is later than theirs. */
async function replaceRecent(
  firestore: Firestore,
  state: ArchiveState,
  from: number,
  rows: readonly Row[],
  changes: Partial<ArchiveState>,
): Promise<void> {
  // Without rows the same period is read again, which costs the same.
  if (rows.length === 0 && changes.hours_until === undefined) return;
  // Parts of earlier hours, among them all final ones, are not replaced.
  const isReplaced = (part: Part) => startOfHour(part.from) >= startOfHour(from);
  const replaced = state.parts.filter(isReplaced);
  await changeArchive(firestore, state, async (transaction) => {
    const kept = (await loadRows(firestore, replaced, transaction)).filter(({ at }) => at < from);
    const hours = Map.groupBy(inOrder([...kept, ...rows]), ({ at }) => startOfHour(at));
    const all = new Set([...replaced.map((part) => startOfHour(part.from)), ...hours.keys()]);
    const parts = [...all].flatMap((hour) => {
      const parts = replaced.filter((part) => startOfHour(part.from) === hour);
      return replaceParts(firestore, transaction, 'recent', parts, hours.get(hour) ?? []);
    });
    const others = state.parts.filter((part) => !isReplaced(part));
    saveState(firestore, transaction, state, { ...changes, parts: [...others, ...parts] });
  });
}

/** Moves the day after `final_until` to the final rows, and makes sums of rows of sessions that are no longer stored. */
async function finishDay(
  firestore: Firestore,
  state: ArchiveState,
  read: (from: number, to: number) => Promise<Row[]>,
): Promise<void> {
  const end = state.final_until + DAY_MS;
  const boundOf = dailyBound();
  const rows = (await read(state.final_until, end)).map((row) => ({ ...row, trafficSource: boundOf(row) }));
  await changeArchive(firestore, state, async (transaction) => {
    const first = (await firstTimes(firestore, transaction)).session ?? end;
    const recent = partsWithin(state.parts, 0, end).filter(({ kind }) => kind === 'recent');
    const others = state.parts.filter((part) => !recent.includes(part));
    const isSession = ({ visitor }: Row) => visitor !== null;
    const sessionParts = others.filter(({ kind }) => kind === 'sessions');
    const expired = sessionParts.filter((part) => part.from < first && part.to >= state.pruned_until);
    // Most visitors who come back do so soon, so the part after these has their next session.
    const [afterExpired] = expired.length === 0 ? [] : sessionParts.filter(({ from }) => from >= first);
    const pruneRow = rowPruner(first);
    // Reads of a transaction come before its writes.
    const updates = await Promise.all(
      others.map(async (part) => {
        const isLast = part === others.findLast(({ kind }) => kind === part.kind);
        if (!isLast && !expired.includes(part) && part !== afterExpired) return { part, isLast, stored: null };
        return { part, isLast, stored: await loadRows(firestore, [part], transaction) };
      }),
    );
    const parts: Part[] = [];
    const added = new Map<Part['kind'], readonly Row[]>([
      ['sessions', rows.filter(isSession)],
      ['signups', rows.filter((row) => !isSession(row))],
    ]);
    for (const { part, isLast, stored } of updates) {
      const before = stored?.map(pruneRow) ?? null;
      const more = isLast ? (added.get(part.kind) ?? []) : [];
      // Fills the last part before it starts another one.
      const fits = before !== null && pack([...before, ...more]).length <= 1;
      if (before === null) parts.push(part);
      else parts.push(...replaceParts(firestore, transaction, part.kind, [part], fits ? [...before, ...more] : before));
      if (fits && isLast) added.delete(part.kind);
    }
    for (const [kind, left] of added) parts.push(...replaceParts(firestore, transaction, kind, [], left));
    replaceParts(firestore, transaction, 'recent', recent, []);
    saveState(firestore, transaction, state, {
      parts,
      final_until: end,
      hours_until: Math.max(end, state.hours_until),
      read_until: Math.max(end, state.read_until),
      ...(expired.length > 0 && { pruned_until: first }),
    });
  });
}
