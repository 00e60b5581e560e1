import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { billedReads, dashboardReads } from 'early-access-firebase/billed-reads';
import { HOUR_MS } from 'early-access-kit/internal';
import { sqliteStore } from 'early-access-server/sqlite';
import { addVisits } from './support/generated-visits.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { atMost, atMostTimes, type Goal, type Row, row } from './support/row.ts';
import { startServer } from './support/running-server.ts';

const WINDOW_MS = 30 * 24 * HOUR_MS;

const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const QUICK_SIZES = SIZES.slice(0, 3);

/** Goals for the summary compared with one that is counted on demand, by number of sessions. */
const GOALS = new Map<number, Goal>([[1_000_000, atMostTimes(0.01)]]);

/** The summary computed from the sessions, without stored sums. */
const ON_DEMAND = `
  SELECT count(*) AS sessions, count(DISTINCT visitor_id) AS visitors, sum(is_bounce) AS bounces,
    sum(total_duration = 0) AS untimed, sum(total_duration) AS duration
  FROM sessions WHERE session_start >= ?
`;

/** Measures what gets slower, larger or more expensive with the number of sessions in the summary's 30 days. */
export const growth: Question = {
  asks: 'how does it grow with the number of visits?',
  async answer(options) {
    const sizes = options.quick ? QUICK_SIZES : SIZES;
    // One second past the hour, which is the worst case: the first hour of the summary's window is partial, so all of
    // its sessions are read one by one.
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 1_000;
    const empty = await startTimes(path.join(options.folder, 'empty'));
    const folder = path.join(options.folder, 'grown');
    mkdirSync(folder);
    const file = path.join(folder, 'early-access.sqlite');

    const summaries: Row[] = [];
    const billed: Row[] = [];
    const bytes: Row[] = [];
    for (const size of sizes) {
      const grown = await grow(file, size, now, options);
      const visits = size.toLocaleString('en');
      const goal = GOALS.get(size);
      summaries.push(
        row({
          name: `summary of ${visits} sessions`,
          unit: 'ms',
          ours: grown.summaryMs,
          theirs: grown.onDemandMs,
          against: 'counted on demand',
          ...(goal && { goal }),
        }),
      );
      billed.push(
        row({
          name: `summary of ${visits} sessions on Firestore`,
          unit: 'billed reads',
          ours: grown.billedReads,
          theirs: size,
          against: 'reading the sessions',
        }),
      );
      billed.push(
        row({
          name: `dashboard of ${visits} sessions on Firestore, at most`,
          unit: 'billed reads',
          ours: dashboardReads(size),
          theirs: size,
          against: 'reading the sessions',
          ...(size === 1_000_000 && { goal: atMost(300) }),
        }),
      );
      bytes.push(row({ name: `database of ${visits} sessions`, unit: 'B per session', ours: grown.bytes / size }));
    }
    const largest = (sizes.at(-1) ?? 0).toLocaleString('en');
    const start = await startTimes(folder);
    return {
      rows: [
        ...summaries,
        ...billed,
        ...bytes,
        row({
          name: `start with ${largest} sessions`,
          unit: 'ms',
          ours: start,
          theirs: empty,
          against: 'with an empty folder',
        }),
      ],
      remarks: [{ heading: 'How the summary grows', lines: describeGrowth(summaries) }],
    };
  },
};

/**
 * Fills the database up to this number of sessions and measures it. Throws if the summary does not match the sessions.
 */
async function grow(file: string, size: number, now: number, { tell, quick }: QuestionOptions) {
  tell(`${size.toLocaleString('en')} sessions`);
  sqliteStore({ file }).close();
  const db = new DatabaseSync(file);
  addVisits(db, size, now);
  const began = performance.now();
  const { sessions, visitors, bounces, untimed, duration } = readCounts(db.prepare(ON_DEMAND).get(now - WINDOW_MS));
  const onDemandMs = performance.now() - began;

  const store = sqliteStore({ file, clock: () => now });
  const summaryMs: number[] = [];
  while (summaryMs.length < (quick ? 5 : 25)) {
    const started = performance.now();
    const { unique_visitors, average_duration } = await store.readSummary();
    summaryMs.push(performance.now() - started);
    if (unique_visitors !== visitors || average_duration !== Math.round(duration / (sessions - untimed))) {
      throw new Error('the summary is not that of the visits');
    }
  }
  db.close();
  store.close();
  return {
    summaryMs,
    onDemandMs,
    billedReads: billedReads({ sessions, bounces, untimed, visitors, signups: 0 }),
    bytes: statSync(file).size,
  };
}

type Counted = 'sessions' | 'visitors' | 'bounces' | 'untimed' | 'duration';

function readCounts(counted: Readonly<Record<string, unknown>> | undefined): Record<Counted, number> {
  const of = (name: Counted) => Number(counted?.[name]);
  return {
    sessions: of('sessions'),
    visitors: of('visitors'),
    bounces: of('bounces'),
    untimed: of('untimed'),
    duration: of('duration'),
  };
}

/** Returns several measurements of the time from starting the process until it serves, in milliseconds. */
async function startTimes(folder: string): Promise<number[]> {
  const times: number[] = [];
  for (let start = 0; start < 3; start += 1) {
    const running = await startServer({ DATA_DIR: folder });
    times.push(running.startMs);
    await running.stop();
  }
  return times;
}

/** A summary reads 720 sums and the sessions of the partial hour at the start of its window. Only that hour grows. */
function describeGrowth(summaries: readonly Row[]): string[] {
  const factors = summaries.slice(1).map(({ name, ours }, index) => {
    const before = summaries[index]?.ours ?? ours;
    return `${name}: ${(ours / before).toFixed(1)} times the one of a tenth of them`;
  });
  return [
    'It reads 720 hourly sums, and visit by visit what lies in the hour at the edge of its window: 1/720 of the sessions.',
    'These visits lie in the file in no order, so that each of that hour is on another page to read: the worst once the file outgrows',
    'the cache. Visits that were kept as they came lie side by side.',
    ...factors,
  ];
}
