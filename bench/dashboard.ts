import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HOUR_MS } from 'early-access-kit/internal';
import { sqliteStore } from 'early-access-server/sqlite';
import { ADMIN, signIn } from './support/admin.ts';
import { countOnDemand, countSessions, countVisitors, dashboardQueries } from './support/dashboard-reads.ts';
import { addVisits } from './support/generated-visits.ts';
import { measurePage } from './support/lighthouse-run.ts';
import { addPeople, listPeople } from './support/people.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atMost, type Goal, median, type Row, row } from './support/row.ts';
import { type RunningServer, startServer } from './support/running-server.ts';

const SIZES = [100_000, 1_000_000, 10_000_000];
const PEOPLE = [100_000, 1_000_000];
/** Above this number of sessions, counting on demand is too slow to be compared. */
const MOST_COMPARED = 1_000_000;

/** Goals for one view in milliseconds, by number of sessions. */
const READ_GOALS = new Map<number, Goal>([
  [1_000_000, atMost(50)],
  [10_000_000, atMost(100)],
]);

/** Goals for a page or search of the list of people in milliseconds, by number of people. */
const PEOPLE_GOALS = new Map<number, Goal>([
  [100_000, atMost(20)],
  [1_000_000, atMost(60)],
]);

/** The admin's dashboard on SQLite: its figures, the list of people, the CSV of everyone, and loading it on a phone. */
export const dashboard: Question = {
  asks: 'how fast is the dashboard?',
  async answer(options) {
    const { folder, quick } = options;
    const data = path.join(folder, 'data');
    mkdirSync(data);
    const sizes = quick ? SIZES.slice(0, 1) : SIZES;
    const reads = await readFigures(path.join(folder, 'visits.sqlite'), sizes, options);
    const file = path.join(data, 'early-access.sqlite');
    const lists = await listEveryone(file, quick ? PEOPLE.slice(0, 1) : PEOPLE, options);
    const cookie = signIn(file);
    const server = await startServer({ DATA_DIR: data, ADMIN_EMAIL: ADMIN });
    try {
      return {
        rows: [
          ...reads,
          ...lists,
          ...(await download(server, cookie, options)),
          ...(await loadOverview(server, cookie, options)),
        ],
      };
    } finally {
      await server.stop();
    }
  },
};

/** Measures the figures of 30 days with this number of sessions. Throws if they do not match the sessions. */
async function readFigures(file: string, sizes: readonly number[], { quick, tell }: QuestionOptions): Promise<Row[]> {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 1_000;
  const rows: Row[] = [];
  for (const size of sizes) {
    const sessions = size.toLocaleString('en');
    tell(`${sessions} sessions`);
    sqliteStore({ file }).close();
    const db = new DatabaseSync(file);
    addVisits(db, size, now);
    const store = sqliteStore({ file, clock: () => now });
    const goal = READ_GOALS.get(size);
    for (const [position, [name, query]] of Object.entries(dashboardQueries(now)).entries()) {
      tell(`${sessions} sessions, ${name}`);
      const visitors = countVisitors(db, query);
      const ours: number[] = [];
      while (ours.length < (quick ? 3 : 9)) {
        const started = performance.now();
        const { figures } = await store.analytics.read(query);
        ours.push(performance.now() - started);
        if (figures.visitors !== visitors) throw new Error('the figures do not match the sessions');
      }
      // One query takes about a minute for a million sessions, so only the first one is compared.
      const isCompared = size <= MOST_COMPARED && position === 0;
      rows.push(
        row({
          name: `dashboard of ${sessions} sessions: ${name}`,
          unit: 'ms',
          ours,
          note: timePerSession(ours, countSessions(db, query)),
          ...(isCompared && { theirs: timeWork(() => countOnDemand(db, query)), against: 'counted on demand' }),
          ...(goal && { goal }),
        }),
      );
    }
    db.close();
    store.close();
  }
  return rows;
}

/** The time per session if no stored sums can be read, such as for a single source in parts of a UTC day. */
function timePerSession(ours: readonly number[], sessions: number): string {
  const each = (median(ours) * 1_000_000) / sessions;
  return `The period and the one before it have ${sessions.toLocaleString('en')} sessions: ${each.toFixed(1)} ns for each.`;
}

function timeWork(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Measures pages and searches of the list of people, compared with a search without an index. */
async function listEveryone(file: string, sizes: readonly number[], { tell, quick }: QuestionOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) {
    const people = size.toLocaleString('en');
    tell(`${people} people`);
    addPeople(file, size);
    const goal = PEOPLE_GOALS.get(size);
    for (const { name, ms, without } of await listPeople(file, quick ? 3 : 15)) {
      rows.push(
        row({
          name: `${people} people: ${name}`,
          unit: 'ms',
          ours: ms,
          ...(without && { theirs: without, against: 'reading every address' }),
          ...(goal && { goal }),
        }),
      );
    }
  }
  return rows;
}

/**
 * Downloads the CSV of everyone twice, and compares the peak memory of each download with that of its first tenth. The
 * first download fills the caches and heap of a new server.
 */
async function download(server: RunningServer, cookie: string, { tell }: QuestionOptions): Promise<Row[]> {
  tell('downloading everyone as CSV');
  const first = await downloadOnce(server, cookie);
  tell('downloading everyone as CSV again');
  const second = await downloadOnce(server, cookie);
  const people = `${(second.lines - 1).toLocaleString('en')} people`;
  return [
    row({ name: `CSV of ${people}`, unit: 's', ours: [first.seconds, second.seconds] }),
    row({
      name: `second CSV of ${people}, growth of memory after its first tenth`,
      unit: 'MB',
      ours: second.growthMb,
      goal: atMost(16),
      note: `${first.growthMb.toFixed(1)} MB during the first download of a new server.`,
    }),
  ];
}

async function downloadOnce({ url, memoryMb }: RunningServer, cookie: string) {
  const started = performance.now();
  const response = await fetch(`${url}/api/admin/people.csv`, { headers: { cookie } });
  if (!response.ok || response.body === null) throw new Error(`the download failed: ${response.status}`);
  let [lines, chunks] = [0, 0];
  const memory: number[] = [];
  for await (const chunk of response.body) {
    for (const byte of chunk) lines += Number(byte === 10);
    chunks += 1;
    if (chunks % 20 === 0) memory.push(memoryMb());
  }
  const growthMb = Math.max(...memory) - Math.max(...memory.slice(0, Math.ceil(memory.length / 10)));
  return { lines, growthMb, seconds: (performance.now() - started) / 1_000 };
}

/** Loads the overview as a signed-in admin, with Lighthouse's mobile profile. */
async function loadOverview({ url }: RunningServer, cookie: string, { quick, tell }: QuestionOptions): Promise<Row[]> {
  const load = (throttling = {}) => measurePage(`${url}/admin`, { extraHeaders: { Cookie: cookie }, throttling });
  const beside = 'with the processor of this machine';
  const runs = { ours: () => load(), [beside]: () => load({ cpuSlowdownMultiplier: 1 }) };
  const rounds = await alternate(runs, { rounds: quick ? 1 : 3, tell });
  return [
    rounds.row({
      name: 'dashboard, first load',
      unit: 'B',
      of: ({ totalBytes }) => totalBytes,
      goal: atMost(150_000),
    }),
    rounds.row({
      name: 'dashboard, interactive on a phone',
      unit: 'ms',
      of: ({ interactiveMs }) => interactiveMs,
      goal: atMost(2_000),
      beside,
      note: `What a load takes ${beside} is the network.`,
    }),
  ];
}
