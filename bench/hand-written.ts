import path from 'node:path';
import { type HandWritten, handWrittenVersions, prepareHandWritten, startHandWritten } from './support/hand-written.ts';
import { computeRest, type LoadResult, load } from './support/load.ts';
import { describeProfile, profileInto } from './support/profile.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { alternate, type Rounds } from './support/rounds.ts';
import { atLeastTimes, atMostTimes, median, type Row } from './support/row.ts';
import { type RunningServer, startServer } from './support/running-server.ts';

const CONNECTIONS = 256;

/** The minimum ratio of request rates, and the maximum ratio of p99, for each server. */
const GOALS: Readonly<Record<HandWritten, { readonly rate: number; readonly p99: number }>> = {
  'Express with Prisma': { rate: 5, p99: 0.333 },
  'node:http in groups': { rate: 0.6, p99: 1.5 },
};
const NAMES = ['Express with Prisma', 'node:http in groups'] as const;

type Name = 'ours' | HandWritten;

interface Measured extends LoadResult {
  /** Processor time of the server's process, on all of its threads. */
  readonly microseconds: number;
}

/** A started server and the number of loads so far, because each load uses new addresses. */
interface Loaded {
  readonly running: RunningServer;
  loads: number;
}

/** Durable signups compared with hand-written servers that have the same durability, uniqueness and validation. */
export const handWritten: Question = {
  asks: 'how does it compare with a server written by hand?',
  async answer(options) {
    const { folder, quick, tell } = options;
    prepareHandWritten(tell);
    const servers: Record<Name, Loaded> = {
      ours: { running: await startOurs(folder), loads: 0 },
      'Express with Prisma': await started('Express with Prisma', folder),
      'node:http in groups': await started('node:http in groups', folder),
    };
    try {
      const seconds = quick ? 2 : 6;
      // Warms up the compiler.
      for (const server of Object.values(servers)) await put(server, seconds);
      const full = await inTurns((name) => put(servers[name], seconds), options);
      const rests = computeRests(full);
      const half = await inTurns((name) => put(servers[name], seconds, rests[name]), options);
      const beside = 'Express with Prisma';
      const same = await inTurns((name) => put(servers[name], seconds, rests[beside]), options);
      return {
        rows: [
          ...buildRows(full, 'full load'),
          ...buildRows(half, 'half load'),
          same.row({
            name: `signups, as many as half of ${beside}, p99`,
            unit: 'ms',
            of: ({ p99 }) => p99,
            beside,
            goal: atMostTimes(1),
          }),
        ],
        remarks: [
          {
            heading: 'How it is compared with servers written by hand',
            lines: [
              'Each on an empty SQLite database of this disk with WAL and synchronous=FULL, one row per address; wrk loads them in turn.',
              'Ours has its limits on and sends no emails meanwhile, as the others. Half load is half of what each of them answered; in the last row all get half of what Express answered.',
              `They use ${handWrittenVersions()}.`,
              ...(await profiles(folder, seconds, tell)),
            ],
          },
        ],
      };
    } finally {
      await Promise.all(Object.values(servers).map(({ running }) => running.stop()));
    }
  },
};

function startOurs(folder: string, flags: readonly string[] = []): Promise<RunningServer> {
  const DATA_DIR = path.join(folder, flags.length === 0 ? 'ours' : 'ours-profiled');
  return startServer({ DATA_DIR, TRUST_PROXY: '1', WELCOME_EMAIL: 'off' }, flags);
}

async function started(name: HandWritten, folder: string): Promise<Loaded> {
  return { running: await startHandWritten(name, path.join(folder, String(NAMES.indexOf(name)))), loads: 0 };
}

async function put(server: Loaded, seconds: number, pauseMs = 0): Promise<Measured> {
  const { running } = server;
  server.loads += 1;
  const before = running.processorMs();
  const plan = { url: running.url, kind: 'signup', run: server.loads, connections: CONNECTIONS, seconds } as const;
  const result = await load({ ...plan, pauseMs });
  return { ...result, microseconds: ((running.processorMs() - before) * 1_000) / result.answered };
}

function inTurns(measure: (name: Name) => Promise<Measured>, { quick, tell }: QuestionOptions) {
  const runs = {
    ours: () => measure('ours'),
    'Express with Prisma': () => measure('Express with Prisma'),
    'node:http in groups': () => measure('node:http in groups'),
  };
  return alternate<Measured, HandWritten>(runs, { rounds: quick ? 1 : 5, tell });
}

function computeRests(full: Rounds<Measured, HandWritten>): Record<Name, number> {
  const rest = (name: Name) => computeRest(CONNECTIONS, median(full.all(name).map(({ perSecond }) => perSecond)) / 2);
  return {
    ours: rest('ours'),
    'Express with Prisma': rest('Express with Prisma'),
    'node:http in groups': rest('node:http in groups'),
  };
}

function buildRows(rounds: Rounds<Measured, HandWritten>, load: string): Row[] {
  return NAMES.flatMap((beside) => {
    const { rate, p99 } = GOALS[beside];
    return [
      rounds.row({
        name: `signups, ${load}`,
        unit: '/s',
        of: ({ perSecond }) => perSecond,
        beside,
        goal: atLeastTimes(rate),
      }),
      rounds.row({
        name: `signups, ${load}, p99`,
        unit: 'ms',
        of: (result) => result.p99,
        beside,
        goal: atMostTimes(p99),
      }),
      // The most reliable figure on a machine with other load.
      rounds.row({
        name: `signups, ${load}, processor time of each`,
        unit: 'µs',
        of: ({ microseconds }) => microseconds,
        beside,
      }),
    ];
  });
}

/** Profiles which code uses the processor time, in our server and in the bare one. */
async function profiles(folder: string, seconds: number, tell: (text: string) => void): Promise<string[]> {
  const lines: string[] = [];
  for (const name of ['ours', 'node:http in groups'] as const) {
    tell(`profile of ${name}`);
    const target = path.join(folder, `profile-${lines.length}`);
    const flags = profileInto(target);
    const running = await (name === 'ours'
      ? startOurs(folder, flags)
      : startHandWritten(name, path.join(folder, 'profiled'), flags));
    try {
      await put({ running, loads: 0 }, seconds);
    } finally {
      await running.stop();
    }
    lines.push(`Profile of ${name}: ${describeProfile(target)}.`);
  }
  return lines;
}
