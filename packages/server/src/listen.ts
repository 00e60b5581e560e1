import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { App } from './app.ts';
import { ConfigError } from './config.ts';
import { failureResponse } from './http/api.ts';
import { Failure, toFailure } from './http/failure.ts';

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
}

/**
 * Listens on the first host, and on the others as far as the machine has them. Throws a `ConfigError` where the port is taken
 * or the first host is not this machine's.
 */
export async function listen({ app, port, hosts }: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: answerBroken });
  const servers: Server[] = [];
  const reached: string[] = [];
  let actualPort = port;
  for (const host of hosts) {
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 }, listener);
    const problem = await tryListen(server, actualPort, host);
    if (problem === null) {
      servers.push(server);
      reached.push(host);
      actualPort = portOf(server);
    } else if (servers.length === 0 || problem === 'EADDRINUSE') {
      await Promise.all(servers.map((open) => drain(open, 0)));
      throw new ConfigError(explain(problem, actualPort, host));
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

/** The code of what went wrong, or null. */
async function tryListen(server: Server, port: number, host: string): Promise<string | null> {
  try {
    server.listen(port, host);
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

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
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
