import { connect, type Socket } from 'node:net';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { MAX_LENGTH } from 'early-access-kit/internal';
import type { Ledger } from '../support/ledger.ts';

export type AttackName = keyof typeof ATTACKS;

/** The server under attack, and the recorded results. */
export interface Target {
  readonly port: number;
  /** Counts a response by its status; 0 if the connection ended without one. */
  count(status: number): void;
  /** The attacker's own signups. */
  readonly ledger: Ledger;
}

const MEGABYTE = 'x'.repeat(1_048_576);
const VICTIM = 'victim@example.org';
/** The slowest 22 KB to normalize: every pair of combining marks has to be reordered. */
const COMBINING_MARKS = `a${'\u0316\u0315'.repeat(5_500)}@example.org`;
/** Mailboxes with many addresses: sub-addresses work at any provider, dots at Gmail. */
const FLOODED = { subAddresses: 'flooded', dots: 'somebodywithalongname' };
/** Signs up after the attack. */
const LOCKED_OUT = 'locked-out@example.org';

const BRACKETS = '['.repeat(520_000);
const HEADERS = 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ';

function largestSession(): string {
  return JSON.stringify(
    sessionOf({
      referrer: `https://a.example/${'x'.repeat(MAX_LENGTH.referrer - 20)}`,
      user_agent: 'x'.repeat(MAX_LENGTH.user_agent),
    }),
  );
}

function endlessBody(client: string): string {
  return (
    `POST /api/signups HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n` +
    'Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{'
  );
}

function clientAddress(turn: number): string {
  return `172.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;
}

/** Returns the status of the response; 0 if there was none. */
async function post({ port, count }: Target, client: string, body: BodyInit, route = 'signups'): Promise<number> {
  const headers = { 'Content-Type': 'text/plain', 'X-Forwarded-For': client };
  let status = 0;
  try {
    // A stream is sent without Content-Length.
    const streamed = body instanceof ReadableStream && { duplex: 'half' };
    const response = await fetch(`http://localhost:${port}/api/${route}`, {
      method: 'POST',
      headers,
      body,
      ...streamed,
    });
    await response.arrayBuffer();
    status = response.status;
  } catch {}
  count(status);
  return status;
}

async function signUp(target: Target, client: string, email?: string): Promise<void> {
  const signup = signupOf(email === undefined ? {} : { email });
  const { requested, created } = target.ledger;
  // If several requests race for one address, the ledger must contain the one that created the signup.
  if (!requested.has(signup.email)) requested.set(signup.email, signup);
  if ((await post(target, client, JSON.stringify(signup))) !== 201) return;
  requested.set(signup.email, signup);
  created.add(signup.email);
}

/** A unique spelling of the local part: a dot follows each letter whose bit is set in `turn`. */
function withDots(local: string, turn: number): string {
  return local.replace(/.(?!$)/g, (letter, index: number) => ((turn >> index) & 1 ? `${letter}.` : letter));
}

/** Sends raw bytes and counts the response. Resolves when the connection closes. */
function raw({ port, count }: Target, send: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(port, 'localhost', () => send(socket));
    socket.setEncoding('latin1').on('data', (text) => {
      response += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      count(Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0));
      resolve();
    });
  });
}

/** Sends a little more every 500 ms until the server closes the connection. */
function trickle(beginning: string, more: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(more), 500);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Each function makes request number `turn`. */
export const ATTACKS = {
  /** No attack, for comparison. It uses the machine as much as an attack. */
  'clients ask for nothing special': async ({ port, count }: Target) => {
    const response = await fetch(`http://localhost:${port}/healthz`);
    await response.arrayBuffer();
    count(response.status);
  },

  'one client signs up many addresses': (target: Target) => signUp(target, '192.0.2.1'),

  'many clients sign up one address': (target: Target, turn: number) => signUp(target, clientAddress(turn), VICTIM),

  'many clients flood mailboxes, try to lock one address out and send text that is slow to normalize': (
    target: Target,
    turn: number,
  ) => {
    const client = clientAddress(turn);
    switch (turn % 6) {
      case 0:
        return post(target, client, JSON.stringify(signupOf({ email: COMBINING_MARKS })));
      case 1:
        return post(target, client, JSON.stringify({ admin_email: COMBINING_MARKS }), 'summary');
      case 2:
        return signUp(target, client, `${FLOODED.subAddresses}+${turn}@example.org`);
      case 3:
        return signUp(target, client, `${withDots(FLOODED.dots, turn)}@gmail.com`);
      case 4:
        return signUp(target, `2001:db8:1:${(turn & 0xffff).toString(16)}::1`);
      default:
        return post(target, client, JSON.stringify({ email: LOCKED_OUT }), 'welcome-email');
    }
  },

  'clients send bodies of 1 MB': (target: Target, turn: number) =>
    post(target, clientAddress(turn), turn % 2 === 0 ? MEGABYTE : new Blob([MEGABYTE]).stream()),

  'clients send oversized headers': (target: Target, turn: number) =>
    raw(target, (socket) => {
      const header = turn % 2 === 0 ? `X-Flood: ${'x'.repeat(65_536)}\r\n` : 'X: y\r\n'.repeat(20_000);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    }),

  'headers that never end': (target: Target) => raw(target, trickle(HEADERS, 'x')),

  'bodies that never end': (target: Target, turn: number) =>
    raw(target, trickle(endlessBody(clientAddress(turn)), ' ')),

  'one client sends half a megabyte of brackets as the report of a mail provider': (target: Target) =>
    post(target, '192.0.2.1', BRACKETS, 'mail-events/resend'),

  'one client stores the largest sessions': (target: Target) => post(target, '192.0.2.1', largestSession(), 'sessions'),

  'one client takes all connections with requests that never end': (target: Target, turn: number) =>
    raw(target, turn % 2 === 0 ? trickle(HEADERS, 'x') : trickle(endlessBody('192.0.2.1'), ' ')),
} as const satisfies Record<string, (target: Target, turn: number) => Promise<unknown>>;

export const ATTACKED_ADDRESS = VICTIM;
export const LOCKED_OUT_ADDRESS = LOCKED_OUT;

/** Returns the flooded mailbox that a stored address belongs to; undefined if there is none. */
export function floodedMailbox(email: string): string | undefined {
  if (email.startsWith(`${FLOODED.subAddresses}+`)) return FLOODED.subAddresses;
  return email.replaceAll('.', '').startsWith(`${FLOODED.dots}@`) ? FLOODED.dots : undefined;
}
