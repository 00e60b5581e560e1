import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectionGuard, isTooSlow } from './connection-guard.ts';

const HEADERS = 'GET / HTTP/1.1\r\nHost:';
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const body = (client: string) =>
  `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Length: 9\r\n\r\n{`;

/** A server with 16 connections, of which 4 may wait for one network, that responds once a request has arrived. */
async function guarded({ trustProxy = 0, respond = (response: ServerResponse) => void response.end('ok') } = {}) {
  const clock = { now: 0 };
  const guard = connectionGuard({
    maxConnections: 16,
    trustProxy,
    clock: () => clock.now,
    giveUp: (socket) => socket.end('given up'),
  });
  const server = createServer()
    .on('connection', guard.admit)
    .on('request', guard.noteRequest)
    .on('request', (request, response) => request.resume().on('end', () => respond(response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  /** Connects from an address of this machine, sends something and waits until the server has read it. */
  async function send(localAddress: string, text: string) {
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const received = { text: '' };
    socket.setEncoding('utf8').on('data', (more) => {
      received.text += more;
    });
    socket.write(text);
    const [own]: Socket[] = await accepted;
    await vi.waitFor(() => expect(own?.destroyed || own?.bytesRead === text.length).toBe(true));
    return { socket, received, isOpen: () => own?.destroyed === false && own.writable };
  }
  return { guard, clock, send };
}

it('closes the oldest unfinished connection of a network that has too many, and none of another network', async () => {
  const { send } = await guarded();
  const visitor = await send('127.0.0.3', HEADERS);
  const attacker = [];
  for (let index = 0; index < 20; index += 1) attacker.push(await send('127.0.0.2', HEADERS));
  expect(attacker.map(({ isOpen }) => isOpen())).toEqual([...Array(16).fill(false), ...Array(4).fill(true)]);
  expect(visitor.isOpen()).toBe(true);
});

it('makes room for the newest connection by closing the oldest unfinished one, if all are taken', async () => {
  const { guard, send } = await guarded();
  const attackers = [];
  for (let index = 0; index < 20; index += 1) attackers.push(await send(`127.0.1.${index}`, HEADERS));
  expect(attackers.map(({ isOpen }) => isOpen())).toEqual([...Array(4).fill(false), ...Array(16).fill(true)]);
  const { received } = await send('127.0.0.3', REQUEST);
  await vi.waitFor(() => expect(received.text).toContain('200 OK'));
  expect(guard.count()).toBe(16);
});

it('counts unfinished bodies behind a proxy by the client, and the proxy’s own connections for none', async () => {
  const { send } = await guarded({ trustProxy: 1 });
  const visitor = await send('127.0.0.1', body('192.0.2.7'));
  for (let index = 0; index < 5; index += 1) await send('127.0.0.1', HEADERS);
  const attacker = [];
  for (let index = 0; index < 9; index += 1) attacker.push(await send('127.0.0.1', body('192.0.2.1')));
  expect(attacker.map(({ isOpen }) => isOpen())).toEqual([...Array(5).fill(false), ...Array(4).fill(true)]);
  visitor.socket.write('        ');
  await vi.waitFor(() => expect(visitor.received.text).toContain('200 OK'));
});

it('closes no connection that waits for the server, also if requests follow each other at once', async () => {
  const responses: ServerResponse[] = [];
  const { send } = await guarded({ respond: (response) => void responses.push(response) });
  const waiting: { isOpen(): boolean }[] = [];
  for (let index = 0; index < 16; index += 1) waiting.push(await send('127.0.0.2', REQUEST + HEADERS));
  expect((await send('127.0.0.3', REQUEST)).isOpen()).toBe(false);
  expect(waiting.every(({ isOpen }) => isOpen())).toBe(true);
  for (const response of responses) response.end();
  await vi.waitFor(() => expect(waiting.filter(({ isOpen }) => isOpen())).toHaveLength(4));
});

it('gives up what arrives too slowly, and neither a fast request nor a connection that is idle or has sent nothing', async () => {
  const { guard, clock, send } = await guarded();
  const slow = [await send('127.0.0.2', HEADERS), await send('127.0.0.2', body('192.0.2.1'))];
  const fast = await send('127.0.0.3', `${HEADERS}${'x'.repeat(10_000)}`);
  const idle = await send('127.0.0.3', REQUEST);
  const silent = await send('127.0.0.3', '');
  await vi.waitFor(() => expect(idle.received.text).toContain('ok'));
  const open = () => [...slow, fast, idle, silent].map(({ isOpen }) => isOpen());
  guard.closeSlow();
  clock.now += 5_000;
  guard.closeSlow();
  expect(open()).toEqual([true, true, true, true, true]);
  clock.now += 1_000;
  guard.closeSlow();
  expect(open()).toEqual([false, false, true, true, true]);
  await vi.waitFor(() => expect(slow.map(({ received }) => received.text)).toEqual(['given up', 'given up']));
});

it('lets a bad connection begin slowly, and asks for 500 bytes a second afterwards', () => {
  const ms = fc.nat({ max: 120_000 });
  fc.assert(
    fc.property(fc.nat({ max: 100_000 }), ms, (bytes, ms) => {
      expect(isTooSlow(bytes, ms)).toBe(ms > 5_000 + bytes * 2);
    }),
  );
});
