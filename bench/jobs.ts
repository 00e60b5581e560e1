import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { ADMIN, signIn } from './support/admin.ts';
import { addVisits } from './support/generated-visits.ts';
import { computeRest, load } from './support/load.ts';
import { addPeople } from './support/people.ts';
import type { Question } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atMost, atMostTimes, percentile } from './support/row.ts';
import { type RunningServer, SERVER, startServer } from './support/running-server.ts';
import type { WatchedPage } from './support/watch-page.ts';

const CONNECTIONS = 64;
const PER_SECOND = 1_000;
const OVERVIEW_MS = 100;
/** Lines of an imported file, and people erased by one request. */
const [IMPORTED, ERASED] = [20_000, 20];
/** A campaign must start within this time. */
const START_MS = 3_000;

const thorough = { people: 100_000, sessions: 1_000_000, rounds: 5, seconds: 8 };
const quickly = { people: 20_000, sessions: 100_000, rounds: 1, seconds: 4 };

interface Setting {
  readonly server: RunningServer;
  readonly file: string;
  readonly cookie: string;
}

/**
 * One job of some seconds. It is repeated as long as the load lasts, and the last run is not aborted, because the
 * server would finish it during the next measurement. `signal` ends the load.
 */
type Job = (setting: Setting, signal: AbortSignal) => Promise<unknown>;

const JOBS: Readonly<Record<string, Job>> = {
  'a campaign': sendCampaign,
  'a CSV of everyone': (setting) => ask(setting, '/people.csv', {}),
  'an import': (setting) => ask(setting, '/import', { method: 'POST', body: makeFile(), type: 'text/csv' }),
  'a dry run of an import': (setting) =>
    ask(setting, '/import?dry-run=1', { method: 'POST', body: makeFile(), type: 'text/csv' }),
  'erasing people': erase,
  'a backup': backUp,
};

/** Signups at a steady rate and the admin's overview while a job runs, compared with the same load without it. */
export const jobs: Question = {
  asks: 'do visitors and admins notice long jobs?',
  async answer({ folder, quick, tell }) {
    const { people, sessions, rounds, seconds } = quick ? quickly : thorough;
    const data = path.join(folder, 'data');
    mkdirSync(data);
    const file = path.join(data, 'early-access.sqlite');
    tell(`preparing ${people.toLocaleString('en')} people and ${sessions.toLocaleString('en')} sessions`);
    addPeople(file, people);
    const db = new DatabaseSync(file);
    addVisits(db, sessions, Date.now());
    db.close();
    const cookie = signIn(file);
    const mails = await startMailServer({ onData: (stream, _, callback) => void stream.resume().on('end', callback) });
    const server = await startServer({
      DATA_DIR: data,
      ADMIN_EMAIL: ADMIN,
      TRUST_PROXY: '1',
      SMTP_URL: mails.url,
      MAIL_FROM: 'hello@example.com',
      PUBLIC_URL: 'http://localhost',
      WELCOME_EMAIL: 'off',
    });
    const setting = { server, file, cookie };
    let run = 0;
    const measure = async (job: Job | null) => {
      run += 1;
      return measureDuring(job, setting, run, seconds);
    };
    try {
      // Warms up the compiler.
      await measure(null);
      const rows = [];
      for (const [name, job] of Object.entries(JOBS)) {
        tell(name);
        const compared = await alternate(
          { ours: () => measure(job), undisturbed: () => measure(null) },
          { rounds, tell },
        );
        rows.push(
          compared.row({
            name: `${name}: signups at ${PER_SECOND}/s, p99`,
            unit: 'ms',
            of: ({ p99 }) => p99,
            beside: 'undisturbed',
            goal: atMostTimes(2),
          }),
          compared.row({
            name: `${name}: the overview, p95`,
            unit: 'ms',
            of: ({ overview }) => overview,
            beside: 'undisturbed',
            goal: atMost(150),
          }),
        );
      }
      return { rows };
    } finally {
      await server.stop();
      await mails.close();
    }
  },
};

async function measureDuring(job: Job | null, setting: Setting, run: number, seconds: number) {
  const end = new AbortController();
  const plan = { url: setting.server.url, kind: 'signup', run, connections: CONNECTIONS, seconds } as const;
  const loaded = sleep(job === null ? 0 : START_MS)
    .then(() => load({ ...plan, pauseMs: computeRest(CONNECTIONS, PER_SECOND) }))
    .finally(() => end.abort());
  const [{ p99 }, overview] = await Promise.all([
    loaded,
    watchOverview(setting, end.signal),
    job && repeat(job, setting, end.signal),
  ]);
  return { p99, overview: percentile(overview, 95) };
}

async function repeat(job: Job, setting: Setting, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await job(setting, signal);
}

/** Uses a thread, because this one receives the campaign's emails, creates files and chooses the people to erase. */
async function watchOverview({ server, cookie }: Setting, signal: AbortSignal): Promise<number[]> {
  const page: WatchedPage = { url: `${server.url}/api/admin/dashboard?range=30d`, cookie, everyMs: OVERVIEW_MS };
  const thread = new Worker(new URL('support/watch-page.ts', import.meta.url), { workerData: page });
  signal.addEventListener('abort', () => thread.postMessage('end'), { once: true });
  const [times] = await once(thread, 'message');
  return times;
}

let asked = 0;

/** Sends a request and reads the whole response. */
async function ask(
  { server, cookie }: Setting,
  route: string,
  { type, ...init }: RequestInit & { type?: string },
): Promise<string> {
  // Each request is from a different client, to avoid rate limits.
  asked += 1;
  const headers = {
    cookie,
    'x-forwarded-for': `10.0.${asked % 256}.1`,
    ...(type !== undefined && { 'content-type': type }),
  };
  const response = await fetch(`${server.url}/api/admin${route}`, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
  return text;
}

let files = 0;

function makeFile(): string {
  files += 1;
  const lines = Array.from(
    { length: IMPORTED },
    (_, n) => `imported-${files}-${n}@mail-${n % 1_000}.example,subscribed`,
  );
  return ['email,state', ...lines].join('\n');
}

function post(setting: Setting, route: string, body: object): Promise<string> {
  return ask(setting, route, { method: 'POST', body: JSON.stringify(body), type: 'application/json' });
}

/** Sends a campaign until the load ends. */
async function sendCampaign(setting: Setting, signal: AbortSignal): Promise<void> {
  const audience = { states: ['subscribed'], source: null };
  const draft = {
    subject: 'We are live',
    body: '# Hello\n\nCome **in**.',
    audience,
    revision: randomUUID(),
    replaces: [],
  };
  const { id } = JSON.parse(await post(setting, '/campaigns', draft));
  await post(setting, `/campaigns/${id}/state`, { to: 'sending' });
  await once(signal, 'abort');
  await post(setting, `/campaigns/${id}/state`, { to: 'cancelled' });
}

async function erase(setting: Setting): Promise<void> {
  const db = new DatabaseSync(setting.file);
  const rows = db.prepare("SELECT person_id FROM email_signups WHERE email LIKE 'person-%' ORDER BY random() LIMIT ?");
  const ids = rows.all(ERASED).map((row) => row.person_id);
  db.close();
  await post(setting, '/people/forget', { ids });
}

async function backUp({ file }: Setting): Promise<void> {
  const env = { DATA_DIR: path.dirname(file) };
  const target = path.join(path.dirname(file), `backup-${performance.now()}`);
  await once(spawn(process.execPath, [SERVER, 'backup', target], { env, stdio: 'ignore' }), 'exit');
}
