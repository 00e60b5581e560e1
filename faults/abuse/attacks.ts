import { connect, type Socket } from 'node:net';
import { signupOf } from '../../packages/server/src/fixtures/records.ts';

export type AttackName = keyof typeof ATTACKS;

/** What an attacker has to do with. */
export interface Target {
  readonly port: number;
  /** Counts an answer by its status; 0 where the connection ended without one. */
  count(status: number): void;
}

const MEGABYTE = 'x'.repeat(1_048_576);
const VICTIM = 'victim@example.org';

function clientAddress(turn: number): string {
  return `172.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;
}

async function post({ port, count }: Target, client: string, body: BodyInit): Promise<void> {
  const headers = { 'Content-Type': 'text/plain', 'X-Forwarded-For': client };
  try {
    // A stream goes without its length.
    const streamed = body instanceof ReadableStream && { duplex: 'half' };
    const answer = await fetch(`http://localhost:${port}/api/signups`, { method: 'POST', headers, body, ...streamed });
    await answer.arrayBuffer();
    count(answer.status);
  } catch {
    count(0);
  }
}

/** Sends bytes as they are and counts what comes back; ends with the connection. */
function raw({ port, count }: Target, send: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, 'localhost', () => send(socket));
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      count(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0));
      resolve();
    });
  });
}

/** A byte now and then, until the other side has had enough. */
function trickle(beginning: string, more: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(more), 500);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Each makes one request, the `turn`-th. */
export const ATTACKS = {
  'one client signs everybody up': (target: Target) => post(target, '192.0.2.1', JSON.stringify(signupOf())),

  'many clients sign one address up': (target: Target, turn: number) =>
    post(target, clientAddress(turn), JSON.stringify(signupOf({ email: VICTIM }))),

  'bodies of a megabyte': (target: Target, turn: number) =>
    post(target, clientAddress(turn), turn % 2 === 0 ? MEGABYTE : new Blob([MEGABYTE]).stream()),

  'headers without end': (target: Target, turn: number) =>
    raw(target, (socket) => {
      const header = turn % 2 === 0 ? `X-Flood: ${'x'.repeat(65_536)}\r\n` : 'X: y\r\n'.repeat(20_000);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    }),

  'headers that never end': (target: Target) => raw(target, trickle('GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 'x')),

  'bodies that never end': (target: Target, turn: number) =>
    raw(
      target,
      trickle(
        `POST /api/signups HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${clientAddress(turn)}\r\n` +
          'Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{',
        ' ',
      ),
    ),
} as const satisfies Record<string, (target: Target, turn: number) => Promise<void>>;

export const ATTACKED_ADDRESS = VICTIM;
