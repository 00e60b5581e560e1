import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, ListenOptions as SocketOptions } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ConfigError } from '../cli/config.ts';
import { failureResponse } from './api.ts';
import type { App } from './app.ts';
import { Failure, toFailure } from './failure.ts';

/** The open sockets of a server. */
export interface Listening {
  readonly port: number;
  /** Addresses that answer. */
  readonly hosts: readonly string[];
  /** Takes no new connections and waits for the requests under way, at most so long. */
  close(withinMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly app: App;
  /** 0 for a free one. */
  readonly port: number;
  readonly hosts: readonly string[];
  /** Longest that a request may take to arrive, from its first byte to its last; its headers half of that. 30 seconds unless given. */
  readonly requestTimeoutMs?: number;
}

/** Node looks for requests that are late every 30 seconds unless told otherwise, so that they could take twice their time. */
const CHECKS_PER_TIMEOUT = 30;

/**
 * Sockets on each address, where the system lets them share it. Node takes one new connection from each of them at every turn of its event
 * loop, and under load a turn takes milliseconds: from a single one, a few hundred newcomers would wait for more than a second.
 */
const SOCKETS = 8;

/**
 * Listens on the first host, and on the others as far as the machine has them. Throws a `ConfigError` where the port is taken
 * or the first host is not this machine's.
 */
export async function listen({ app, port, hosts, requestTimeoutMs = 30_000 }: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: answerBroken });
  const open = () =>
    createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: requestTimeoutMs / 2,
        connectionsCheckingInterval: requestTimeoutMs / CHECKS_PER_TIMEOUT,
        keepAliveTimeout: 65_000,
      },
      listener,
    );
  const servers: Server[] = [];
  const reached: string[] = [];
  let actualPort = port;
  for (const host of hosts) {
    const opened = await openSockets(open, actualPort, host);
    if (typeof opened !== 'string') {
      servers.push(...opened);
      reached.push(host);
      actualPort = portOf(servers);
    } else if (servers.length === 0 || opened === 'EADDRINUSE') {
      await Promise.all(servers.map((server) => drain(server, 0)));
      throw new ConfigError(explain(opened, actualPort, host));
    }
  }
  return {
    port: actualPort,
    hosts: reached,
    close: async (withinMs) => void (await Promise.all(servers.map((server) => drain(server, withinMs)))),
  };
}

/** What no request could be made of, a broken Host header for one, is answered like any other. */
function answerBroken(error: unknown): Response {
  const malformed = error instanceof RequestError;
  return failureResponse(malformed ? new Failure(400, 'invalid', 'the request is malformed') : toFailure(error));
}

/** The servers of one address, or the code of what went wrong. */
async function openSockets(open: () => Server, port: number, host: string): Promise<Server[] | string> {
  // Alone first: sockets that share an address would share it with another program too, instead of finding it taken.
  const alone = await openTogether([open()], { port, host });
  if (typeof alone === 'string' || process.platform !== 'linux') return alone;
  const address = { port: portOf(alone), host };
  await Promise.all(alone.map((server) => drain(server, 0)));
  const several = await openTogether(Array.from({ length: SOCKETS }, open), { ...address, reusePort: true });
  return typeof several === 'string' ? openTogether([open()], address) : several;
}

/** The servers, all of them listening, or the code of what went wrong with one, and then none is. */
async function openTogether(servers: Server[], options: SocketOptions): Promise<Server[] | string> {
  const problems = await Promise.all(servers.map((server) => tryListen(server, options)));
  const problem = problems.find((problem) => problem !== null);
  if (problem === undefined) return servers;
  await Promise.all(servers.filter(({ listening }) => listening).map((server) => drain(server, 0)));
  return problem;
}

/** The code of what went wrong, or null. */
async function tryListen(server: Server, options: SocketOptions): Promise<string | null> {
  try {
    server.listen(options);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

function explain(problem: string, port: number, host: string): string {
  if (problem === 'EADDRINUSE')
    return `PORT ${port} is taken on ${host}: stop the program that has it or set another PORT`;
  if (problem === 'EACCES') return `PORT ${port} needs more rights: set a PORT above 1023`;
  return `HOST ${host} cannot be listened on (${problem}): set HOST to an address of this machine`;
}

function portOf([server]: readonly Server[]): number {
  const address: AddressInfo | string | null | undefined = server?.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

async function drain(server: Server, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection becomes idle only after the answer that is under way.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const patience = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
