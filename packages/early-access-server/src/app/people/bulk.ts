import { MINUTE_MS } from 'early-access-kit/internal';
import type { AuditAuthor } from '../ports/admin-store.ts';
import type { LabelChange } from './labels.ts';
import type { PeopleFilter } from './people.ts';

export const BULK_ACTIONS = ['invite', 'unsubscribe', 'label', 'forget'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
export const BULK_STATES = ['running', 'paused', 'done', 'cancelled'] as const;
export type BulkState = (typeof BULK_STATES)[number];

/**
 * The result for one person. `unchanged`: there was nothing to do, or the action does not apply to them. `left`: not
 * erased, because an email to them was being sent. `traces`: erased, but another program has an old state of the
 * database file open.
 */
export const BULK_OUTCOMES = ['done', 'unchanged', 'left', 'traces'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/** An action on everyone who matches a filter. */
export interface BulkJob extends Readonly<Record<BulkOutcome, number>> {
  readonly id: string;
  readonly action: BulkAction;
  /** The change if the action is `label`, otherwise null. */
  readonly labels: LabelChange | null;
  readonly state: BulkState;
  readonly started_at: number;
  readonly ended_at: number | null;
  /** True while its people are being collected. Nothing is done to anyone before that is complete. */
  readonly is_collecting: boolean;
  /** The number of people. Until they are collected, the number that the admin saw. */
  readonly people: number;
}

/** An action as it is stored, as JSON. */
export interface BulkRecord extends Omit<BulkJob, 'id' | 'is_collecting'> {
  readonly number: number;
  /** The people to collect. Null once that is complete, because a search may contain an address. */
  readonly filter: PeopleFilter | null;
  /** The next page of the list to collect, or null for the first. */
  readonly after: string | null;
  readonly collected: number;
  /** The number of parts stored so far, and the next person: the part and the index in it. */
  readonly parts: number;
  readonly part: number;
  readonly place: number;
  /** The process that works on it, and when its lease ends. */
  readonly lease: { readonly token: string; readonly until: number } | null;
  readonly author: AuditAuthor;
  /** The wave of an inviting action; null until someone was invited. */
  readonly wave: string | null;
}

export type NewBulk = Pick<BulkRecord, 'action' | 'labels' | 'people' | 'author'> & { readonly filter: PeopleFilter };

/** The writes of one step of the newest action, applied atomically. */
export interface BulkDecision<T> {
  /** The changed action, or a new one with the next number. Null: nothing is stored. */
  readonly record: BulkRecord | null;
  /** A numbered batch of people to store. */
  readonly added?: { readonly part: number; readonly ids: readonly string[] };
  /** The numbers of batches to delete. */
  readonly removed?: readonly number[];
  readonly result: T;
}

/** Longer than any step takes. When it ends, the process must have died, and another one continues. */
export const BULK_LEASE_MS = 5 * MINUTE_MS;

/** Parses a stored record. */
export function readBulk(json: string): BulkRecord {
  return JSON.parse(json);
}

const ENDED: readonly BulkState[] = ['done', 'cancelled'];

export function toBulkJob({ number, filter, collected, people, ...record }: BulkRecord): BulkJob {
  const { action, labels, state, started_at, ended_at, done, unchanged, left, traces } = record;
  const is_collecting = filter !== null;
  const about = { action, labels, state, started_at, ended_at, done, unchanged, left, traces };
  return { id: String(number), ...about, is_collecting, people: is_collecting ? people : collected };
}

export function isEnded({ state }: Pick<BulkRecord, 'state'>): boolean {
  return ENDED.includes(state);
}

/** Creates an action that excludes people who sign up after `now`. `busy`: another action has not ended. */
export function startBulk(newest: BulkRecord | null, { filter, ...about }: NewBulk, now: number) {
  if (newest !== null && !isEnded(newest)) return keep<BulkRecord | 'busy'>('busy');
  const record: BulkRecord = {
    ...about,
    number: (newest?.number ?? 0) + 1,
    state: 'running',
    started_at: now,
    ended_at: null,
    filter: { ...filter, to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, now + 1) },
    ...{ wave: null, after: null, collected: 0, parts: 0, part: 0, place: 0, lease: null },
    ...{ done: 0, unchanged: 0, left: 0, traces: 0 },
  };
  return store<BulkRecord | 'busy'>(record, record);
}

/** Pauses, resumes or cancels the action. Returns false if that is impossible. Processed people stay as they are. */
export function changeBulk(
  newest: BulkRecord | null,
  number: number,
  to: Exclude<BulkState, 'done'>,
  now: number,
): BulkDecision<boolean> {
  if (newest?.number !== number || isEnded(newest) || newest.state === to) return keep(false);
  const changed: BulkRecord = { ...newest, state: to };
  return to === 'cancelled' ? end(changed, now, true) : store(changed, true);
}

/** Claims the action for one process, unless another one has it or there is nothing to do. */
export function claimBulk(newest: BulkRecord | null, token: string, now: number): BulkDecision<BulkRecord | null> {
  if (newest?.state !== 'running' || (newest.lease !== null && newest.lease.until > now)) return keep(null);
  const claimed = renewed(newest, token, now);
  return store(claimed, claimed);
}

/** Adds collected people. `after`: where the next page starts, or null after the last page. */
export function collectPeople(
  newest: BulkRecord | null,
  { token, ids, after, now }: { token: string; ids: readonly string[]; after: string | null; now: number },
): BulkDecision<BulkRecord | null> {
  if (newest === null || !isHeld(newest, token)) return keep(null);
  const collected: BulkRecord = {
    ...renewed(newest, token, now),
    after,
    collected: newest.collected + ids.length,
    parts: newest.parts + (ids.length > 0 ? 1 : 0),
    filter: after === null ? null : newest.filter,
  };
  if (after === null && collected.parts === 0) return end<BulkRecord | null>(collected, now, null);
  const { record, result } = store(collected, continued(collected));
  return { record, result, ...(ids.length > 0 && { added: { part: newest.parts, ids } }) };
}

interface Advance {
  readonly token: string;
  /** The outcomes for the next people. */
  readonly outcomes: readonly BulkOutcome[];
  readonly wave: string | null;
  /** True if they were the last of their part. */
  readonly isPartEnd: boolean;
  readonly now: number;
}

/**
 * Counts the outcomes and advances to the next people. The result is null unless the action's work continues or has
 * just ended.
 */
export function advanceBulk(
  newest: BulkRecord | null,
  { token, outcomes, wave, isPartEnd, now }: Advance,
): BulkDecision<BulkRecord | null> {
  if (newest === null || newest.lease?.token !== token) return keep(null);
  const count = (outcome: BulkOutcome) => newest[outcome] + outcomes.filter((each) => each === outcome).length;
  const counted: BulkRecord = {
    ...renewed(newest, token, now),
    ...{ done: count('done'), unchanged: count('unchanged'), left: count('left'), traces: count('traces') },
    wave,
    part: newest.part + (isPartEnd ? 1 : 0),
    place: isPartEnd ? 0 : newest.place + outcomes.length,
  };
  if (counted.state === 'cancelled') return store({ ...counted, lease: null }, null);
  const removed = isPartEnd ? [newest.part] : [];
  if (counted.part === counted.parts) {
    const ended = end<BulkRecord | null>({ ...counted, state: 'done' }, now, null);
    return { ...ended, removed, result: ended.record };
  }
  return { ...store(counted, continued(counted)), removed };
}

/** Releases the lease, so that another process can continue. */
export function releaseBulk(newest: BulkRecord | null, token: string): BulkDecision<void> {
  return newest?.lease?.token === token ? store({ ...newest, lease: null }, undefined) : keep(undefined);
}

function isHeld({ lease, state }: BulkRecord, token: string): boolean {
  return state === 'running' && lease?.token === token;
}

function renewed(record: BulkRecord, token: string, now: number): BulkRecord {
  return { ...record, lease: { token, until: now + BULK_LEASE_MS } };
}

/** Returns null unless the action's work continues. */
function continued(record: BulkRecord): BulkRecord | null {
  return record.state === 'running' ? record : null;
}

function keep<T>(result: T): BulkDecision<T> {
  return { record: null, result };
}

function store<T>(record: BulkRecord, result: T): BulkDecision<T> {
  return { record, result };
}

/** Ends the action and deletes everything about its people. */
function end<T>(record: BulkRecord, now: number, result: T): BulkDecision<T> {
  const removed = Array.from({ length: record.parts - record.part }, (_, index) => record.part + index);
  const state = record.state === 'cancelled' ? 'cancelled' : 'done';
  // A process that is still working may record its outcomes.
  const lease = state === 'cancelled' ? record.lease : null;
  return { record: { ...record, state, lease, filter: null, after: null, ended_at: now }, removed, result };
}
