import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BUILT_SERVER, type Server } from '@early-access-kit/testkit/built-server';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readMemory } from '@early-access-kit/testkit/memory';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { signIn } from '../support/admin.ts';
import { newClient, signUp } from '../support/crowd.ts';
import { startDeployment } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const PEOPLE = rounds({ short: 3_000, long: 100_000 });
const AT_A_TIME = 64;
/** The limit for the server's process, including 80 MB of Node itself, independent of its running time. */
const MAX_MEGABYTES = 256;
/** Maximum growth in the second half, when caches are full, because V8's heap size varies. */
const MAX_GROWTH = 1.1;

/** Signs people up, each from another client address. */
async function signPeopleUp(url: string, people: number): Promise<void> {
  const ledger = emptyLedger();
  let left = people;
  async function visitor(): Promise<void> {
    while (left > 0) {
      left -= 1;
      expect(await signUp(url, `${crypto.randomUUID()}@example.org`, ledger)).toBe(true);
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, visitor));
}

it(`holds its memory while ${PEOPLE} people sign up`, async () => {
  // Emails are received but not stored, because there are many.
  const deployment = await startDeployment({
    onData: (stream, _, callback) => void stream.resume().on('end', () => callback()),
  });
  const server = await deployment.serve();
  await signPeopleUp(server.origin, PEOPLE / 2);
  const half = readMemory(server.pid);
  await signPeopleUp(server.origin, PEOPLE / 2);
  const { most } = readMemory(server.pid);
  report(
    'memory: at its peak, after half of the signups and after all, MB',
    `${half.most.toFixed(0)}, ${most.toFixed(0)}`,
  );
  expect(most).toBeLessThan(MAX_MEGABYTES);
  expect(most / half.most).toBeLessThan(MAX_GROWTH);
});

/** Returns the limits in the unit that `init` writes: Node's flags, and the process memory in megabytes. */
async function writtenLimits(): Promise<{ readonly flags: string; readonly megabytes: number }> {
  const cwd = tempFolder();
  const init = startProcess([process.execPath, BUILT_SERVER, 'init', '--systemd'], { env: {}, cwd });
  expect(await init.finished).toMatchObject({ code: 0 });
  const unit = readFileSync(join(cwd, 'early-access.service'), 'utf8');
  const flags = /^ExecStart="[^"]*" (.*) "/m.exec(unit)?.[1] ?? '';
  expect(flags).toContain('--max-old-space-size=');
  return { flags, megabytes: Number(/^MemoryMax=(\d+)M$/m.exec(unit)?.[1]) };
}

const CONNECTIONS = 9_000;
/** Above the server's limit. */
const REFUSED_BYTES = 30_000;
/** Below the limit, so the server reads these headers to their end. */
const ACCEPTED_BYTES = 15_900;
const BODY_BYTES = 15_000;

/** Opens connections, sends the same start of a request through each, and leaves them open. */
async function stall({ origin }: Server, beginning: () => string): Promise<{ open(): number; close(): void }> {
  const { port } = new URL(origin);
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.on('connect', () => socket.write(beginning())).on('error', () => {});
    socket.resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  // Each one is open or was closed by the server.
  await vi.waitFor(() => expect(sockets.filter(({ connecting }) => connecting)).toEqual([]));
  return {
    open: () => sockets.filter(({ destroyed }) => !destroyed).length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('under the limits that init writes', () => {
  const headers = (bytes: number) =>
    `GET / HTTP/1.1\r\nHost: localhost\r\n${`X-Pad: ${'x'.repeat(91)}\r\n`.repeat(bytes / 100)}`;
  const beginnings: readonly (readonly [name: string, beginning: () => string])[] = [
    [`${REFUSED_BYTES} bytes of headers`, () => headers(REFUSED_BYTES)],
    [`${ACCEPTED_BYTES} bytes of headers`, () => headers(ACCEPTED_BYTES)],
    [
      `${BODY_BYTES} bytes of a body`,
      () =>
        `POST /api/signups HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${newClient()}\r\nContent-Type: text/plain\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(BODY_BYTES)}`,
    ],
  ];

  it.each(beginnings)(`serves on after ${CONNECTIONS} connections that stall after %s`, async (name, beginning) => {
    const { flags, megabytes } = await writtenLimits();
    const deployment = await startDeployment(undefined, { NODE_OPTIONS: flags });
    const server = await deployment.serve();
    const stalled = await stall(server, beginning);
    // Waits until the server has closed all connections above its limit, and memory is stable.
    let before = Number.NaN;
    await vi.waitFor(
      () => {
        expect(stalled.open()).toBeLessThanOrEqual(1_024);
        const { now } = readMemory(server.pid);
        const change = now - before;
        before = now;
        expect(change).toBe(0);
      },
      { interval: 500 },
    );
    const { most } = readMemory(server.pid);
    report(`memory: with ${CONNECTIONS} connections that stall after ${name}, at its peak`, `${most.toFixed(0)} MB`);
    expect(most).toBeLessThan(megabytes);
    stalled.close();
    await vi.waitFor(async () => expect((await fetch(`${server.origin}/healthz`)).status).toBe(200));
  });

  it('imports the largest file while others are refused, and exports it to several readers', async () => {
    const { flags, megabytes } = await writtenLimits();
    const deployment = await startDeployment(undefined, { NODE_OPTIONS: flags });
    const server = await deployment.serve();
    const admin = await signIn(deployment, server);
    const createFile = (people: number) => {
      const lines = Array.from({ length: people }, (_, index) => `p${index}@example.org,${'x'.repeat(150)}\n`);
      return new Blob(['email,source\n', ...lines]);
    };
    const largest = createFile(100_000);
    const trials = Array.from({ length: 8 }, async () => {
      const response = await admin.post('/import', largest, 'text/csv');
      await response.text();
      return response.status;
    });
    expect((await Promise.all(trials)).sort()).toEqual([200, 429, 429, 429, 429, 429, 429, 429]);
    const imported = await admin.post('/import?dry-run=0', createFile(PEOPLE), 'text/csv');
    expect(await imported.text()).toContain('"type":"done"');
    const exports = await Promise.all(Array.from({ length: 16 }, () => admin.get('/people.csv')));
    expect([200, 429]).toEqual(expect.arrayContaining(exports.map(({ status }) => status)));
    await Promise.all(exports.map((response) => response.text()));
    const { most } = readMemory(server.pid);
    report('memory: with an import and exports, at its peak', `${most.toFixed(0)} MB`);
    expect(most).toBeLessThan(megabytes);
  });
});
