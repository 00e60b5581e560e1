import { setInterval } from 'node:timers/promises';
import type { Server } from '@early-access-kit/testkit/built-server';
import { LONG, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readMemory } from '@early-access-kit/testkit/memory';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectNothingLost, readFile } from '../support/audit.ts';
import { signUp } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { emptyLedger, type Ledger } from '../support/ledger.ts';
import { startAttack, type Tally } from './attack.ts';
import { ATTACKED_ADDRESS, type AttackName, floodedMailbox, LOCKED_OUT_ADDRESS } from './attacks.ts';

const PEOPLE = rounds({ short: 30, long: 1_000 });
const REQUESTS = rounds({ short: 500, long: 10_000 });
/** Number of concurrent requests of an attack that is not about connections. */
const AT_A_TIME = 64;
/** Visitors arrive at this interval, even if earlier ones still wait for a response. */
const EVERY_MS = 20;
const CONNECTIONS = rounds({ short: 100, long: 1_000 });
/** The goal, unless the machine's disk stalls. */
const MAX_P99_MS = 100;
/** The attackers use the same machine, so the p99 may be this many times that with as many harmless requests. */
const MAX_P99_RATIO = 2;
const MAX_MAILS_PER_MAILBOX = 3;
/** The limit for the server's process, independent of the length of the attack. */
const MAX_MEGABYTES = 256;

/** Enables the reports of a mail provider. */
const RESEND_SECRET = `whsec_${'A'.repeat(32)}`;

/** An attack on a server while visitors sign up. */
interface AttackRun {
  readonly name: AttackName;
  readonly deployment: Deployment;
  readonly server: Server;
  readonly attack: ReturnType<typeof startAttack>;
  /** The visitors' response times in milliseconds, in the order of their arrival. */
  readonly waits: readonly number[];
  /** The response times before the attack, with harmless requests. Empty in a short run. */
  readonly waitsBefore: readonly number[];
  /** Signups of the visitors, and of the attackers once the attack has stopped. */
  readonly ledger: Ledger;
  /** Minutes since the attack started. */
  minutes(): number;
}

async function runAttack(name: AttackName, requests: number, atATime: number): Promise<AttackRun> {
  const deployment = await startDeployment(undefined, { RESEND_WEBHOOK_SECRET: RESEND_SECRET });
  const server = await deployment.serve();
  const ledger = emptyLedger();
  const port = Number(new URL(server.origin).port);
  const signUpAll = () => signPeopleUp(server.origin, PEOPLE, ledger);
  const waitsBefore = LONG ? await besideHarmlessRequests(port, signUpAll) : [];
  const attack = startAttack({ name, port, requests, atATime });
  onTestFinished(async () => {
    await attack.kill();
  });
  const started = performance.now();
  const waits = await signUpAll();
  const minutes = () => (performance.now() - started) / 60_000;
  return { name, deployment, server, attack, waits, waitsBefore, ledger, minutes };
}

async function besideHarmlessRequests<T>(port: number, act: () => Promise<T>): Promise<T> {
  const harmless = startAttack({ name: 'clients ask for nothing special', port, requests: 0, atATime: AT_A_TIME });
  try {
    return await act();
  } finally {
    await harmless.stop();
  }
}

/** Signs up one visitor per interval. Returns their response times in milliseconds, in the order of their arrival. */
async function signPeopleUp(url: string, people: number, ledger: Ledger): Promise<number[]> {
  const waits: Promise<number>[] = [];
  for await (const _ of setInterval(EVERY_MS)) {
    waits.push(timeSignup(url, ledger));
    if (waits.length === people) break;
  }
  return Promise.all(waits);
}

async function timeSignup(url: string, ledger: Ledger): Promise<number> {
  const started = performance.now();
  if (!(await signUp(url, `${crypto.randomUUID()}@example.org`, ledger))) throw new Error('a signup was not accepted');
  return performance.now() - started;
}

/** The server served every visitor in time, lost nothing, logged no error and stayed within its memory. */
async function expectUnharmed({ name, deployment, server, waits, waitsBefore, ledger }: AttackRun) {
  const [p99, p99Before] = [computeP99(waits), computeP99(waitsBefore)];
  const { most } = readMemory(server.pid);
  report(`abuse, ${name}: p99 of visitors, ms`, p99.toFixed(1));
  report(`abuse, ${name}: memory at its peak, MB`, most.toFixed(0));
  expect(waits).toHaveLength(PEOPLE);
  if (LONG) {
    report(`abuse, ${name}: p99 beside harmless requests, ms`, p99Before.toFixed(1));
    expect(p99).toBeLessThanOrEqual(Math.max(MAX_P99_MS, MAX_P99_RATIO * p99Before));
  }
  expect(most).toBeLessThan(MAX_MEGABYTES);
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  expect(server.log).not.toMatch(/"level":"error"|unhandled/i);
  await expectMailsSentOrQueued(deployment);
  expectNothingLost(deployment.file, ledger);
}

/** The median of the p99 of each fifth of the visitors: a disk stall affects twenty visitors, an attack all of them. */
function computeP99(waits: readonly number[]): number {
  const size = Math.ceil(waits.length / 5);
  const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
  const fifths = Array.from({ length: 5 }, (_, index) => ascending(waits.slice(index * size, (index + 1) * size)));
  return (
    ascending(fifths.map((fifth) => fifth[Math.ceil(fifth.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY))[2] ?? 0
  );
}

/**
 * Expects that each message was sent once, is queued, or failed for a flooded mailbox, and that no mailbox was
 * flooded.
 */
async function expectMailsSentOrQueued({ file, mailbox }: Deployment) {
  const due = () =>
    readFile(file, (raw) =>
      raw
        .prepare(
          "SELECT count(*) AS mails FROM mails WHERE state = 'sending' OR state = 'queued' AND next_attempt_at <= ?",
        )
        .get(Date.now()),
    );
  await vi.waitFor(() => expect(due()).toEqual({ mails: 0 }), { interval: 100 });
  const mails = readFile(file, (raw) =>
    raw.prepare('SELECT email, mails.state FROM email_signups LEFT JOIN mails ON signup_id = email_signups.id').all(),
  ).map(({ email, state }) => ({ email: String(email), state, arrived: mailbox.mailsTo(String(email)).length }));
  const expected = new Map([
    ['sent', 1],
    ['queued', 0],
  ]);
  // A flooded mailbox gets at most its daily limit; the rest fails.
  const isGivenUp = ({ email, state, arrived }: (typeof mails)[number]) =>
    state === 'failed' && arrived === 0 && floodedMailbox(email) !== undefined;
  expect(mails.filter((mail) => expected.get(String(mail.state)) !== mail.arrived && !isGivenUp(mail))).toEqual([]);
  const byMailbox = Map.groupBy(mails, ({ email }) => floodedMailbox(email) ?? email);
  for (const [address, messages] of byMailbox) {
    const arrived = messages.filter(({ state }) => state === 'sent').length;
    expect([address, arrived]).toEqual([address, Math.min(messages.length, MAX_MAILS_PER_MAILBOX)]);
  }
}

/** Stops the attack and expects that every request received one of the allowed statuses. */
async function stopAttack({ name, attack, ledger }: AttackRun, allowed: readonly number[]): Promise<Tally> {
  const tally = await attack.stop();
  const { requests, statuses } = tally;
  report(`abuse, ${name}: responses by status`, JSON.stringify(statuses));
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(requests);
  expect(Object.keys(statuses).filter((status) => !allowed.includes(Number(status)))).toEqual([]);
  for (const [email, signup] of tally.ledger.requested) ledger.requested.set(email, signup);
  for (const email of tally.ledger.created) ledger.created.add(email);
  return tally;
}

const SHORT_ATTACKS: readonly [AttackName, readonly number[], (tally: Tally, run: AttackRun) => unknown][] = [
  [
    'one client signs up many addresses',
    [201, 429],
    ({ statuses }, { minutes }) => expect(statuses[201]).toBeLessThanOrEqual(61 + 30 * minutes()),
  ],
  [
    'many clients sign up one address',
    [200, 201, 429],
    async ({ statuses }, { minutes, deployment: { mailbox } }) => {
      expect(statuses[201]).toBe(1);
      expect(statuses[200]).toBeLessThanOrEqual(61 + 6 * minutes());
      expect(mailbox.mailsTo(ATTACKED_ADDRESS)).toHaveLength(1);
    },
  ],
  [
    'many clients flood mailboxes, try to lock one address out and send text that is slow to normalize',
    [201, 202, 400, 403, 429],
    async ({ statuses, ledger: { created } }, { minutes, server, deployment, ledger }) => {
      expect(statuses[202]).toBeLessThanOrEqual(61 + 6 * minutes());
      const fromOneSite = [...created].filter((email) => email.startsWith('artist-'));
      expect(fromOneSite.length).toBeLessThanOrEqual(601 + 300 * minutes());
      expect(await signUp(server.origin, LOCKED_OUT_ADDRESS, ledger)).toBe(true);
      await deployment.mailbox.waitForMail(LOCKED_OUT_ADDRESS);
    },
  ],
  [
    'one client sends half a megabyte of brackets as the report of a mail provider',
    [401, 429, 0],
    ({ statuses }, { minutes }) => expect(statuses[401]).toBeLessThanOrEqual(61 + 10 * minutes()),
  ],
  [
    'one client stores the largest sessions',
    [204, 429],
    ({ statuses }, { minutes }) => expect(statuses[204]).toBeLessThanOrEqual(301 + 300 * minutes()),
  ],
  // A client that is still sending may see the connection close before it reads the response.
  ['clients send bodies of 1 MB', [413, 0], ({ statuses }) => expect(statuses[413]).toBeGreaterThan(0)],
  ['clients send oversized headers', [431, 0], ({ statuses }) => expect(statuses[431]).toBeGreaterThan(0)],
];

describe('visitors are served', () => {
  it.each(SHORT_ATTACKS)('while %s', async (name, allowed, expectResponses) => {
    const run = await runAttack(name, REQUESTS, AT_A_TIME);
    const tally = await stopAttack(run, allowed);
    await expectUnharmed(run);
    await expectResponses(tally, run);
  });

  it.each(['headers that never end', 'bodies that never end'] as const)('while clients send %s', async (name) => {
    const run = await runAttack(name, CONNECTIONS, CONNECTIONS);
    await expectUnharmed(run);
    // A request that arrives too slowly is aborted after five seconds, checked every two.
    if (LONG) await stopAttack(run, [408, 0]);
  });

  it('while one client takes all connections with requests that never end', async () => {
    const run = await runAttack('one client takes all connections with requests that never end', 1_500, 1_500);
    await expectUnharmed(run);
    await stopAttack(run, [408, 429, 0]);
  });
});
