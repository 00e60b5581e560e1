import { describe, expect, it, onTestFinished } from 'vitest';
import type { Server } from '../../e2e/support/server.ts';
import { type Bench, bench } from '../support/bench.ts';
import { memoryOf } from '../support/memory.ts';
import { report } from '../support/report.ts';
import { LONG, rounds } from '../support/scale.ts';
import { startAttack, type Tally } from './attack.ts';
import { ATTACKED_ADDRESS, type AttackName } from './attacks.ts';
import { signPeopleUp } from './visitors.ts';

const PEOPLE = rounds({ short: 30, long: 1_000 });
const REQUESTS = rounds({ short: 200, long: 10_000 });
const CONNECTIONS = rounds({ short: 100, long: 1_000 });
/** Of a server that has many to serve; measured where nothing else is tested at the same time. */
const MOST_P99_MS = 100;
/** The heap grows before it is tidied up, the same for a short attack and a long one. */
const MOST_GROWTH_MB = 300;

async function attacked(name: AttackName, requests: number, atATime: number) {
  const place = await bench();
  const server = await place.serve();
  const before = memoryOf(server.pid).now;
  const attack = startAttack({ name, port: Number(new URL(server.origin).port), requests, atATime });
  onTestFinished(async () => {
    await attack.kill();
  });
  const started = performance.now();
  const waits = await signPeopleUp(server.origin, PEOPLE);
  return { place, server, attack, waits, before, minutes: () => (performance.now() - started) / 60_000 };
}

/** The server has gone on as if nothing had happened, and has not grown much. */
async function expectUnharmed(name: AttackName, server: Server, waits: readonly number[], before: number) {
  const p99 = waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
  const growth = memoryOf(server.pid).most - before;
  report(`abuse, ${name}: p99 of visitors, ms`, p99.toFixed(1));
  report(`abuse, ${name}: memory grew by at most, MB`, growth.toFixed(0));
  expect(waits).toHaveLength(PEOPLE);
  if (LONG) expect(p99).toBeLessThanOrEqual(MOST_P99_MS);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  expect(server.log).not.toMatch(/"level":"error"|unhandled/i);
}

function expectStatuses(name: AttackName, { requests, statuses }: Tally, allowed: readonly number[]): void {
  report(`abuse, ${name}: answers`, JSON.stringify(statuses));
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(requests);
  expect(Object.keys(statuses).filter((status) => !allowed.includes(Number(status)))).toEqual([]);
}

const QUICK: readonly [AttackName, readonly number[], (tally: Tally, minutes: number, place: Bench) => unknown][] = [
  [
    'one client signs everybody up',
    [201, 429],
    ({ statuses }, minutes) => expect(statuses[201]).toBeLessThanOrEqual(61 + 30 * minutes),
  ],
  [
    'many clients sign one address up',
    [200, 201, 429],
    async ({ statuses }, minutes, { mailbox }) => {
      expect(statuses[201]).toBe(1);
      expect(statuses[200]).toBeLessThanOrEqual(61 + 6 * minutes);
      await mailbox.waitForMail(ATTACKED_ADDRESS);
      expect(mailbox.mailsTo(ATTACKED_ADDRESS)).toHaveLength(1);
    },
  ],
  // A client that is still sending may find the connection closed before it reads the answer.
  ['bodies of a megabyte', [413, 0], ({ statuses }) => expect(statuses[413]).toBeGreaterThan(0)],
  ['headers without end', [431, 0], ({ statuses }) => expect(statuses[431]).toBeGreaterThan(0)],
];

describe('visitors are served', () => {
  it.each(QUICK)('while %s', async (name, allowed, expectAnswers) => {
    const { place, server, attack, waits, before, minutes } = await attacked(name, REQUESTS, 64);
    const tally = await attack.stop();
    expectStatuses(name, tally, allowed);
    await expectUnharmed(name, server, waits, before);
    await expectAnswers(tally, minutes(), place);
  });

  it.each(['headers that never end', 'bodies that never end'] as const)('while there are %s', async (name) => {
    const { server, attack, waits, before } = await attacked(name, CONNECTIONS, CONNECTIONS);
    await expectUnharmed(name, server, waits, before);
    // The server has had enough after 15 and 30 seconds, which it looks at every half minute.
    if (LONG) expectStatuses(name, await attack.stop(), [408, 0]);
  });
});
