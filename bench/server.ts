import { availableParallelism } from 'node:os';
import { computeRest, type LoadPlan, type LoadResult, load, type RequestKind } from './support/load.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { atLeastTimes, atMost, median, percentile, type Row, row } from './support/row.ts';
import { type RunningServer, startServer } from './support/running-server.ts';
import { openStraight, type Straight } from './support/straight.ts';
import { fsyncTimes, watched } from './support/watch.ts';

const KINDS: Readonly<Record<RequestKind, string>> = {
  signup: 'signups',
  start: 'session starts',
  update: 'session updates',
};

/** Numbers of concurrent requests. The last one has goals. */
const CONNECTIONS = [1, 32, 256] as const;
const MANY = 256;

/** Number of repetitions of the load with goals, and the seconds of each. */
const thorough = { rounds: 3, seconds: 8, straightMs: 2_000 };
const quickly = { rounds: 1, seconds: 2, straightMs: 500 };

type Effort = typeof thorough;

/** The result of a load, and the processor use of the machine's processes during it, in cores. */
interface Measured extends LoadResult {
  readonly server: number;
  readonly load: number;
  readonly others: number;
  readonly fsyncP99: number;
}

/** Durable writes over HTTP with rate limits on, compared with direct writes into SQLite on the same disk. */
export const server: Question = {
  asks: 'how many durable writes are answered, and how soon?',
  async answer(options) {
    const effort = options.quick ? quickly : thorough;
    const fsync = fsyncTimes(options.folder, options.quick ? 100 : 500);
    const rows: Row[] = [
      row({ name: 'fsync of the disk, p50', unit: 'ms', ours: fsync }),
      row({ name: 'fsync of the disk, p99', unit: 'ms', ours: percentile(fsync, 99) }),
    ];
    const straight = openStraight(options.folder);
    for (const kind of ['signup', 'start', 'update'] as const) {
      rows.push(...(await measure(kind, straight, effort, options)));
    }
    straight.close();
    return {
      rows,
      remarks: [
        {
          heading: 'How the server is measured',
          lines: [
            'As npm start runs it, on an empty data folder of this disk, with TRUST_PROXY=1 and a random X-Forwarded-For for each request;',
            'its welcome emails are written to files meanwhile. The load comes from wrk, on the same machine.',
            `Repeated ${effort.rounds} times for ${effort.seconds} s at ${MANY} connections, each time after the same writes straight into SQLite.`,
          ],
        },
      ],
    };
  },
};

async function measure(
  kind: RequestKind,
  straight: Straight,
  { rounds, seconds, straightMs }: Effort,
  { folder, tell }: QuestionOptions,
): Promise<Row[]> {
  const running = await startServer({ DATA_DIR: `${folder}/${kind}`, TRUST_PROXY: '1' });
  let run = 0;
  let known = 0;
  const put = (connections: number, of: RequestKind = kind, pauseMs = 0): Promise<Measured> => {
    tell(
      `${KINDS[of]}, ${connections} connections${pauseMs === 0 ? '' : `, each resting for ${pauseMs.toFixed(1)} ms`}`,
    );
    // Updates go to the sessions of the run that created them.
    run = of === 'update' ? run : run + 1;
    return loadAndWatch(running, folder, { url: running.url, kind: of, run, known, connections, seconds, pauseMs });
  };

  try {
    // Warms up the compiler, and creates the sessions to update.
    known = (await put(MANY, kind === 'update' ? 'start' : kind)).answered;
    const few = [];
    for (const connections of CONNECTIONS) if (connections !== MANY) few.push(await put(connections));
    const singly: number[] = [];
    const batched: number[] = [];
    const many: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      singly.push(straight.perSecond(kind, 1, straightMs));
      batched.push(straight.perSecond(kind, MANY / 2, straightMs));
      many.push(await put(MANY));
    }
    const halfLoad: Measured[] = [];
    const pauseMs = computeRest(MANY, median(many.map(({ perSecond }) => perSecond)) / 2);
    for (let round = 0; round < rounds; round += 1) halfLoad.push(await put(MANY, kind, pauseMs));
    return [
      ...few.flatMap((measured, index) => buildRows(kind, `${CONNECTIONS[index]} connections`, [measured])),
      ...buildRows(kind, 'full load', many, { singly, batched, p99: 35 }),
      ...buildRows(kind, 'half load', halfLoad, { p99: 10 }),
    ];
  } finally {
    await running.stop();
  }
}

interface Beside {
  /** Writes per second directly into SQLite, with one commit each and in batches. */
  readonly singly?: readonly number[];
  readonly batched?: readonly number[];
  /** Goal, in milliseconds. */
  readonly p99: number;
}

function buildRows(kind: RequestKind, load: string, measured: readonly Measured[], beside?: Beside): Row[] {
  const name = `${KINDS[kind]}, ${load}`;
  const rates = measured.map(({ perSecond }) => perSecond);
  const latencies = (of: 'p50' | 'p99' | 'p999') => measured.map((result) => result[of]);
  const note = describeLimit(measured);
  const { singly, batched, p99 } = beside ?? {};
  return [
    row({
      name,
      unit: '/s',
      ours: rates,
      ...(singly && { theirs: singly, against: 'straight, one commit each', goal: atLeastTimes(2) }),
      note,
    }),
    ...(batched ? [row({ name, unit: '/s', ours: rates, theirs: batched, against: 'straight, batches of 128' })] : []),
    row({ name: `${name}, p50`, unit: 'ms', ours: latencies('p50') }),
    row({ name: `${name}, p99`, unit: 'ms', ours: latencies('p99'), ...(p99 && { goal: atMost(p99) }), note }),
    row({ name: `${name}, p99.9`, unit: 'ms', ours: latencies('p999') }),
  ];
}

/** Describes the limiting factor of the figures, as far as it was measured. */
function describeLimit(measured: readonly Measured[]): string {
  const percent = (of: 'server' | 'load' | 'others') => Math.round(median(measured.map((result) => result[of])) * 100);
  const each = median(measured.map(({ server: busy, perSecond }) => (busy / perSecond) * 1_000_000));
  const fsync = median(measured.map(({ fsyncP99 }) => fsyncP99));
  return [
    `Of ${availableParallelism()} cores the server had ${percent('server')} % of one (${Math.round(each)} µs for each answer),`,
    `the load ${percent('load')} %, other processes ${percent('others')} %; fsync meanwhile p99 ${fsync.toFixed(1)} ms.`,
    `${MANY} that ask at once are answered after ${((each * MANY) / 1_000).toFixed(0)} ms at this price.`,
  ].join(' ');
}

async function loadAndWatch(running: RunningServer, folder: string, plan: LoadPlan): Promise<Measured> {
  const before = running.processorMs();
  const { result, seconds, processorMs, fsyncP99 } = await watched(folder, load(plan));
  const part = (ms: number) => ms / (seconds * 1_000);
  const own = part(running.processorMs() - before);
  const loaders = part(result.processorMs);
  return { ...result, server: own, load: loaders, others: Math.max(0, part(processorMs) - own - loaders), fsyncP99 };
}
