import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { startWebhookReceiver } from '@early-access-kit/testkit/webhook-receiver';
import { type SqliteStore, sqliteStore } from 'early-access-server/sqlite';
import { computeRest, type LoadPlan, load } from './support/load.ts';
import { indexAddresses } from './support/people.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atMost, atMostMore, type Row, row } from './support/row.ts';
import { type RunningServer, startServer } from './support/running-server.ts';

/** Uses of links by people and the host's back end, and the required state of the people. */
const LINKS = [
  { kind: 'confirm', purpose: 'confirm', state: 'pending', name: 'confirming' },
  { kind: 'unsubscribe', purpose: 'unsubscribe', state: 'subscribed', name: 'unsubscribing' },
  { kind: 'redeem', purpose: 'invite', state: 'invited', name: 'redeeming' },
] as const;

const KEY = 'k'.repeat(32);
const CONNECTIONS = 256;
const BATCH = 500;
/** A single disk stall determines the p99 of a few seconds, so the median of this many runs counts. */
const HALF_LOADS = 5;
const EVERYONE = { search: '', state: null, mail: null, source: null, import: null, from: null, to: null } as const;

const thorough = { seconds: 8, links: 800_000, invited: 10_000, launch: 100_000 };
const quickly = { seconds: 2, links: 60_000, invited: 1_000, launch: 1_000 };
type Effort = typeof thorough;

/** Links, invitations, a launch and webhooks on SQLite, with rate limits on. */
export const list: Question = {
  asks: 'how fast do people move through the list?',
  async answer(options) {
    const effort = options.quick ? quickly : thorough;
    const rows: Row[] = [];
    for (const link of LINKS) rows.push(...(await openLinks(link, effort, options)));
    rows.push(await invitePeople(effort, options));
    rows.push(...(await launch(effort, options)));
    rows.push(await withWebhooks(effort, options));
    return { rows };
  },
};

/** Creates a store in a new data folder, with people in a state. */
async function fill(folder: string, people: number, state: Parameters<typeof toPerson>[1]): Promise<SqliteStore> {
  mkdirSync(folder);
  const store = sqliteStore({ file: path.join(folder, 'early-access.sqlite'), mailsPerHour: 1_000_000 });
  for (let start = 0; start < people; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, people - start) }, (_, n) => toPerson(start + n, state));
    await store.list.importPeople(batch, { welcome: false });
  }
  return store;
}

function toPerson(n: number, state: 'pending' | 'subscribed' | 'invited') {
  return { email: `person-${n}@mail-${n}.example`, source: 'bench', created_at: Date.now() - 86_400_000, state };
}

/** Returns the token that load.lua sends for the nth person. */
function deriveToken(n: number): string {
  return String(n).padStart(43, '0');
}

/** Opens a link for each of many people. */
async function openLinks(
  { kind, purpose, state, name }: (typeof LINKS)[number],
  { seconds, links }: Effort,
  { folder, tell, quick }: QuestionOptions,
): Promise<Row[]> {
  const data = path.join(folder, kind);
  tell(`${name}: preparing ${links.toLocaleString('en')} links`);
  (await fill(data, links, state)).close();
  const db = new DatabaseSync(path.join(data, 'early-access.sqlite'));
  const insert = db.prepare(
    "INSERT INTO person_tokens (hash, signup_id, purpose, kind, expires_at) VALUES (?, ?, ?, 'campaign', ?)",
  );
  db.exec('BEGIN');
  for (const { id } of db.prepare('SELECT id FROM email_signups').all()) {
    const hash = createHash('sha256')
      .update(deriveToken(Number(id)))
      .digest('hex');
    insert.run(hash, Number(id), purpose, Number.MAX_SAFE_INTEGER);
  }
  indexAddresses(db);
  db.exec('COMMIT');
  db.close();
  const server = await startServer({
    DATA_DIR: data,
    TRUST_PROXY: '1',
    INVITE_URL: 'http://localhost',
    INVITE_KEY: KEY,
  });
  let known = 0;
  const put = async (pauseMs = 0) => {
    tell(`${name}, ${pauseMs === 0 ? 'full' : 'half'} load`);
    const plan: LoadPlan = { url: server.url, kind, run: 1, known, connections: CONNECTIONS, seconds, pauseMs };
    const result = await load(plan);
    known += result.answered + CONNECTIONS;
    return result;
  };
  try {
    if (!quick) await put();
    const full = await put();
    const half: number[] = [];
    while (half.length < (quick ? 1 : HALF_LOADS))
      half.push((await put(computeRest(CONNECTIONS, full.perSecond / 2))).p99);
    if (known > links) throw new Error(`${known} links were opened, and there are ${links}`);
    return [
      row({ name: `${name}, full load`, unit: '/s', ours: full.perSecond }),
      row({ name: `${name}, full load, p99`, unit: 'ms', ours: full.p99 }),
      row({
        name: `${name}, half load, p99`,
        unit: 'ms',
        ours: half,
        goal: atMost(20),
        note: 'At full load all connections wait for the processor, so that the time tells how many there are.',
      }),
    ];
  } finally {
    await server.stop();
  }
}

async function invitePeople({ invited, launch: people }: Effort, { folder, tell }: QuestionOptions): Promise<Row> {
  tell(`inviting ${invited.toLocaleString('en')} people`);
  const data = path.join(folder, 'invite');
  const store = await fill(data, people, 'subscribed');
  const started = performance.now();
  const wave = await store.list.invite({ after: null, who: { count: invited, filter: EVERYONE } });
  const elapsed = performance.now() - started;
  store.close();
  if (typeof wave === 'string' || wave.people !== invited) throw new Error('not everyone was invited');
  const name = `inviting ${invited.toLocaleString('en')} of ${people.toLocaleString('en')} people`;
  return row({ name, unit: 'ms', ours: elapsed, goal: atMost(2_000) });
}

/** Sends a campaign through a local mail server. */
async function launch({ launch: people }: Effort, { folder, tell }: QuestionOptions): Promise<Row[]> {
  const data = path.join(folder, 'launch');
  const store = await fill(data, people, 'subscribed');
  const { campaigns } = store;
  const audience = { states: ['subscribed'], source: null } as const;
  const { id } = await campaigns.create({ subject: 'We are live', body: '# Hello\n\nCome **in**.', audience });
  await campaigns.change(id, 'sending');
  store.close();
  const received = new Set<string>();
  let messages = 0;
  const mails = await startMailServer({
    onData(stream, { envelope }, callback) {
      stream.resume().on('end', () => {
        messages += 1;
        for (const { address } of envelope.rcptTo) received.add(address);
        callback();
      });
    },
  });
  const server = await startServer({
    DATA_DIR: data,
    SMTP_URL: mails.url,
    MAIL_FROM: 'hello@example.com',
    PUBLIC_URL: 'http://localhost',
  });
  try {
    const started = performance.now();
    const memory: number[] = [];
    while (received.size < people) {
      tell(`launch: ${received.size.toLocaleString('en')} of ${people.toLocaleString('en')} emails`);
      await sleep(1_000);
      memory.push(server.memoryMb());
    }
    const seconds = (performance.now() - started) / 1_000;
    if (messages !== people) throw new Error(`${messages} emails reached ${people} people`);
    const name = `launch to ${people.toLocaleString('en')} people`;
    const part = Math.ceil(memory.length / 4);
    return [
      row({ name, unit: '/s', ours: people / seconds }),
      row({
        name: `${name}, growth of memory from its first quarter to its last`,
        unit: 'MB',
        ours: Math.max(...memory.slice(-part)) - Math.max(...memory.slice(0, part)),
        goal: atMost(32),
      }),
    ];
  } finally {
    await server.stop();
    await mails.close();
  }
}

/** Signups with an endpoint that receives an event for each, compared with signups without one. */
async function withWebhooks({ seconds }: Effort, { folder, tell, quick }: QuestionOptions): Promise<Row> {
  const receiver = await startWebhookReceiver();
  const start = async (name: string, endpoints: readonly string[]) => {
    const data = path.join(folder, name);
    const store = await fill(data, 0, 'subscribed');
    for (const url of endpoints) {
      await store.webhooks.add({ url, secret: `whsec_${'A'.repeat(32)}`, format: 'json', events: ['signup.created'] });
    }
    store.close();
    // Emails are off, so that the endpoint is the only difference.
    return startServer({ DATA_DIR: data, TRUST_PROXY: '1', WEBHOOK_ALLOW_LOCAL: 'on', WELCOME_EMAIL: 'off' });
  };
  const plain = await start('webhooks-none', []);
  const notified = await start('webhooks-one', [receiver.url]);
  const put = (server: RunningServer, run: number, pauseMs: number) =>
    load({ url: server.url, kind: 'signup', run, connections: CONNECTIONS, seconds, pauseMs });
  try {
    // Warms up the compiler.
    await put(notified, 0, 0);
    const { perSecond } = await put(plain, 0, 0);
    const pauseMs = computeRest(CONNECTIONS, perSecond / 4);
    const rounds = await alternate(
      {
        ours: (round) => put(notified, round + 1, pauseMs),
        'without an endpoint': (round) => put(plain, round + 1, pauseMs),
      },
      { rounds: quick ? 1 : 9, tell },
    );
    return rounds.row({
      name: `signups with an endpoint, quarter load, p99`,
      unit: 'ms',
      of: ({ p99 }) => p99,
      beside: 'without an endpoint',
      goal: atMostMore(1, 'ms'),
    });
  } finally {
    await Promise.all([plain.stop(), notified.stop()]);
    await receiver.close();
  }
}
