import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket, ListenOptions as SocketOptions } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ConfigError } from '../../app/config-error.ts';
import { type Log, silentLog } from '../../app/ports/log.ts';
import { failureResponse, toFailure } from '../routing/failure.ts';
import { connectionGuard } from './connection-guard.ts';
import type { App } from './routes.ts';
import { MALFORMED, socketFailures, TIMED_OUT } from './socket-failures.ts';

export interface ListenOptions {
  readonly app: App;
  /** 0 picks a free port. */
  readonly port: number;
  readonly hosts: readonly string[];
  /**
   * How long a request may take to arrive completely, in milliseconds. Its headers may take a quarter of that. Default:
   * one minute.
   */
  readonly requestTimeoutMs?: number;
  /** The most simultaneous connections, for all hosts together. Default: 1,024. */
  readonly maxConnections?: number;
  /** The number of proxies in front that append to X-Forwarded-For. Default: 0. */
  readonly trustProxy?: number;
  readonly log?: Log;
}

/**
 * If clients send maximum-size headers and never finish their requests, the connections use half of the 256 MB that
 * `init` allows the server.
 */
const MAX_CONNECTIONS = 1_024;
/** Cookies of other applications on the domain may exceed 8 kB. The same limit as in Node and most proxies. */
const MAX_HEADER_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 60_000;
/** Visitors who have left keep their connections open. Above this share of the limit, idle connections are closed. */
const CROWDED = 0.75;
/** A response that is not read is aborted after this multiple of the request timeout. */
const STALLED_RESPONSE = 2;

/** By default Node checks for late requests every 30 seconds, so a request could take twice the timeout. */
const CHECKS_PER_TIMEOUT = 30;

/**
 * Sockets per address, if the system supports sharing it. Node accepts one connection per socket and event loop turn,
 * which takes milliseconds under load. With a single socket, a few hundred new connections would wait for more than a
 * second.
 */
const SOCKETS = 8;

/**
 * Listens on the first host, and on those other hosts that exist on this machine. Throws a `ConfigError` if the port is
 * taken or the first host is not an address of this machine.
 */
export async function listen({
  app,
  port,
  hosts,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  maxConnections = MAX_CONNECTIONS,
  trustProxy = 0,
  log = silentLog,
}: ListenOptions) {
  const listener = requestListener(app);
  const { refuse, install } = socketFailures({ log, clock: Date.now });
  const servers: Server[] = [];
  const guard = connectionGuard({
    maxConnections,
    trustProxy,
    clock: () => performance.now(),
    giveUp: (socket) => refuse(TIMED_OUT, socket),
  });
  function admit(socket: Socket): void {
    if (guard.count() >= maxConnections * CROWDED) for (const server of servers) server.closeIdleConnections();
    guard.admit(socket);
  }
  const options = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs / 4,
    connectionsCheckingInterval: requestTimeoutMs / CHECKS_PER_TIMEOUT,
    keepAliveTimeout: 65_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Checked below, because Node's own error response has no body.
    requireHostHeader: false,
  };
  const open = () =>
    install(createServer(options).on('request', guard.noteRequest).on('request', listener))
      .setTimeout(requestTimeoutMs * STALLED_RESPONSE)
      .on('connection', admit);
  const reached: string[] = [];
  let actualPort = port;
  for (const host of hosts) {
    try {
      servers.push(...(await openSockets(open, actualPort, host)));
      reached.push(host);
      actualPort = readPort(servers);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (servers.length > 0 && code !== 'EADDRINUSE') continue;
      await drainAll(servers, 0);
      throw new ConfigError(explain(code, actualPort, host));
    }
  }
  const checks = setInterval(guard.closeSlow, requestTimeoutMs / CHECKS_PER_TIMEOUT).unref();
  return {
    port: actualPort,
    hosts: reached,
    /** Accepts no new connections, and waits at most `withinMs` for requests in progress. */
    async close(withinMs: number): Promise<void> {
      await drainAll(servers, withinMs);
      clearInterval(checks);
    },
  };
}

export type Listening = Awaited<ReturnType<typeof listen>>;

/**
 * Connects the application to a `node:http` server. Invalid requests, such as those with a broken Host header, get a
 * regular error response.
 */
export function requestListener({ fetch }: Pick<App, 'fetch'>) {
  return getRequestListener(
    (request, source) => (hasOneHost(source.incoming) ? fetch(request, source) : failureResponse(MALFORMED)),
    {
      hostname: 'localhost',
      errorHandler: (error) => failureResponse(error instanceof RequestError ? MALFORMED : toFailure(error)),
    },
  );
}

/** Only HTTP/1.0 may omit the header. Of several, Node uses the first, but a proxy in front may have used another. */
function hasOneHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

async function openSockets(open: () => Server, port: number, host: string): Promise<Server[]> {
  // The first is opened without sharing, because shared sockets would not fail if another program uses the address.
  const single = await openTogether([open()], { port, host });
  if (process.platform !== 'linux') return single;
  const address = { port: readPort(single), host };
  await drainAll(single, 0);
  const shared = openTogether(Array.from({ length: SOCKETS }, open), { ...address, reusePort: true });
  return shared.catch(() => openTogether([open()], address));
}

/** Starts all servers. If one fails, starts none and throws the first error. */
async function openTogether(servers: Server[], options: SocketOptions): Promise<Server[]> {
  const starts = servers.map((server) => once(server.listen(options), 'listening'));
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
  if (failed === undefined) return servers;
  const opened = servers.filter(({ listening }) => listening);
  await drainAll(opened, 0);
  throw failed.reason;
}

function explain(problem: string, port: number, host: string): string {
  if (problem === 'EADDRINUSE')
    return `PORT ${port} is taken on ${host}: stop the program that has it or set another PORT`;
  if (problem === 'EACCES') return `PORT ${port} needs more privileges: set a PORT above 1023`;
  return `HOST ${host} cannot be listened on (${problem}): set HOST to an address of this machine`;
}

function readPort([server]: readonly Server[]): number {
  const address: AddressInfo | string | null | undefined = server?.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

async function drainAll(servers: readonly Server[], withinMs: number): Promise<void> {
  await Promise.all(servers.map((server) => drain(server, withinMs)));
}

async function drain(server: Server, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection becomes idle only after the response in progress.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const patience = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
