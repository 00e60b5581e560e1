import type { Server } from '@early-access-kit/testkit/built-server';
import { LONG, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectPromisesKept, readFile } from '../support/audit.ts';
import { signUp } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { emptyLedger, type Ledger } from '../support/ledger.ts';
import { memoryOf } from '../support/memory.ts';
import { startAttack, type Tally } from './attack.ts';
import { ATTACKED_ADDRESS, type AttackName, floodedMailbox, LOCKED_OUT_ADDRESS } from './attacks.ts';
import { signPeopleUp } from './visitors.ts';

const PEOPLE = rounds({ short: 30, long: 1_000 });
const REQUESTS = rounds({ short: 500, long: 10_000 });
const CONNECTIONS = rounds({ short: 100, long: 1_000 });
/** The goal on a machine whose disk does not stall by itself. */
const MOST_P99_MS = 100;
/** On any other machine: at most so many times what the same visitors waited before the attack, in the same run. */
const MOST_TIMES_CALM_P99 = 2;
const MOST_MAILS_PER_MAILBOX = 3;
/** The heap grows before it is tidied up, the same for a short attack and a long one. */
const MOST_GROWTH_MB = 300;

/** A server that is attacked while visitors sign up. */
interface Siege {
  readonly name: AttackName;
  readonly deployment: Deployment;
  readonly server: Server;
  readonly attack: ReturnType<typeof startAttack>;
  /** How long each visitor waited, in milliseconds, in ascending order. */
  readonly waits: readonly number[];
  /** The same before the attack; empty in a short run. */
  readonly calmWaits: readonly number[];
  /** The responses to the visitors, and to the attackers once the attack has stopped. */
  readonly ledger: Ledger;
  /** Memory of the server before the attack, in megabytes. */
  readonly before: number;
  /** Since the attack began. */
  minutes(): number;
}

async function attacked(name: AttackName, requests: number, atATime: number): Promise<Siege> {
  const deployment = await startDeployment();
  const server = await deployment.serve();
  const ledger = emptyLedger();
  const calmWaits = LONG ? await signPeopleUp(server.origin, PEOPLE, ledger) : [];
  const before = memoryOf(server.pid).now;
  const attack = startAttack({ name, port: Number(new URL(server.origin).port), requests, atATime });
  onTestFinished(async () => {
    await attack.kill();
  });
  const started = performance.now();
  const waits = await signPeopleUp(server.origin, PEOPLE, ledger);
  const minutes = () => (performance.now() - started) / 60_000;
  return { name, deployment, server, attack, waits, calmWaits, ledger, before, minutes };
}

/** The server has gone on as if nothing had happened, has lost nothing, and has not grown much. */
async function expectUnharmed({ name, deployment, server, waits, calmWaits, ledger, before }: Siege) {
  const [p99, calmP99] = [p99Of(waits), p99Of(calmWaits)];
  const growth = memoryOf(server.pid).most - before;
  report(`abuse, ${name}: p99 of visitors, ms`, p99.toFixed(1));
  report(`abuse, ${name}: memory grew by at most, MB`, growth.toFixed(0));
  expect(waits).toHaveLength(PEOPLE);
  if (LONG) {
    report(`abuse, ${name}: p99 before the attack, ms`, calmP99.toFixed(1));
    expect(p99).toBeLessThanOrEqual(Math.max(MOST_P99_MS, MOST_TIMES_CALM_P99 * calmP99));
  }
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  expect(server.log).not.toMatch(/"level":"error"|unhandled/i);
  await expectMailsSentOrWaiting(deployment);
  expectPromisesKept(deployment.file, ledger);
}

function p99Of(waits: readonly number[]): number {
  return waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
}

/** Each message has been sent once or waits, and no mailbox has been flooded. */
async function expectMailsSentOrWaiting({ file, mailbox }: Deployment) {
  const due = () =>
    readFile(file, (raw) =>
      raw
        .prepare(
          "SELECT count(*) AS mails FROM mails WHERE state = 'sending' OR state = 'queued' AND next_attempt_at <= ?",
        )
        .get(Date.now()),
    );
  await vi.waitFor(() => expect(due()).toEqual({ mails: 0 }), { interval: 100, timeout: 600_000 });
  const mails = readFile(file, (raw) =>
    raw.prepare('SELECT email, state FROM email_signups LEFT JOIN mails ON signup_id = id').all(),
  ).map(({ email, state }) => ({ email: String(email), state, arrived: mailbox.mailsTo(String(email)).length }));
  const expected = new Map([
    ['sent', 1],
    ['queued', 0],
  ]);
  expect(mails.filter(({ state, arrived }) => expected.get(String(state)) !== arrived)).toEqual([]);
  const byMailbox = Map.groupBy(mails, ({ email }) => floodedMailbox(email) ?? email);
  for (const [address, messages] of byMailbox) {
    const arrived = messages.filter(({ state }) => state === 'sent').length;
    expect([address, arrived]).toEqual([address, Math.min(messages.length, MOST_MAILS_PER_MAILBOX)]);
  }
}

/** Calls the attackers off, and holds what they were answered against what may be answered. */
async function callOff({ name, attack, ledger }: Siege, allowed: readonly number[]): Promise<Tally> {
  const tally = await attack.stop();
  const { requests, statuses } = tally;
  report(`abuse, ${name}: answers`, JSON.stringify(statuses));
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(requests);
  expect(Object.keys(statuses).filter((status) => !allowed.includes(Number(status)))).toEqual([]);
  for (const [email, signup] of tally.ledger.asked) ledger.asked.set(email, signup);
  for (const email of tally.ledger.created) ledger.created.add(email);
  return tally;
}

const QUICK: readonly [AttackName, readonly number[], (tally: Tally, siege: Siege) => unknown][] = [
  [
    'one client signs everybody up',
    [201, 429],
    ({ statuses }, { minutes }) => expect(statuses[201]).toBeLessThanOrEqual(61 + 30 * minutes()),
  ],
  [
    'many clients sign one address up',
    [200, 201, 429],
    async ({ statuses }, { minutes, deployment: { mailbox } }) => {
      expect(statuses[201]).toBe(1);
      expect(statuses[200]).toBeLessThanOrEqual(61 + 6 * minutes());
      expect(mailbox.mailsTo(ATTACKED_ADDRESS)).toHaveLength(1);
    },
  ],
  [
    'many clients flood mailboxes, keep one person out and send what is slow to normalise',
    [201, 202, 400, 403, 429],
    async ({ statuses, ledger: { created } }, { minutes, server, deployment, ledger }) => {
      expect(statuses[202]).toBeLessThanOrEqual(61 + 6 * minutes());
      const fromOneSite = [...created].filter((email) => email.startsWith('artist-'));
      expect(fromOneSite.length).toBeLessThanOrEqual(601 + 300 * minutes());
      expect(await signUp(server.origin, LOCKED_OUT_ADDRESS, ledger)).toBe(true);
      await deployment.mailbox.waitForMail(LOCKED_OUT_ADDRESS);
    },
  ],
  // A client that is still sending may find the connection closed before it reads the answer.
  ['bodies of a megabyte', [413, 0], ({ statuses }) => expect(statuses[413]).toBeGreaterThan(0)],
  ['headers without end', [431, 0], ({ statuses }) => expect(statuses[431]).toBeGreaterThan(0)],
];

describe('visitors are served', () => {
  it.each(QUICK)('while %s', async (name, allowed, expectAnswers) => {
    const siege = await attacked(name, REQUESTS, 64);
    const tally = await callOff(siege, allowed);
    await expectUnharmed(siege);
    await expectAnswers(tally, siege);
  });

  it.each(['headers that never end', 'bodies that never end'] as const)('while there are %s', async (name) => {
    const siege = await attacked(name, CONNECTIONS, CONNECTIONS);
    await expectUnharmed(siege);
    // The server has had enough after 15 and 30 seconds, which it looks at every half minute.
    if (LONG) await callOff(siege, [408, 0]);
  });
});
