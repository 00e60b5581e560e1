import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from 'early-access-kit/internal';
import { type ClientNetwork, clientNetworks } from '../../app/access/client-networks.ts';
import type { Clock } from '../../app/ports/clock.ts';

/** The part of all connections that may wait for one network. */
const NETWORK_SHARE = 0.25;
/**
 * A request that arrives more slowly, after some seconds for a bad connection, is given up. Most have a packet or two.
 */
const MIN_BYTES_PER_SECOND = 500;
const SLOW_START_MS = 5 * SECOND_MS;

export interface GuardOptions {
  readonly maxConnections: number;
  /**
   * The number of proxies in front. Their connections carry requests of many clients, so only a request says whose it
   * is.
   */
  readonly trustProxy: number;
  readonly clock: Clock;
  /** Closes the connection of a request that did not arrive in time, with a response that says so. */
  readonly giveUp: (socket: Socket) => void;
}

/** A connection that waits for its client: to begin a request, to continue it, or to send another one. */
interface Connection {
  readonly socket: Socket;
  networks: readonly ClientNetwork[];
  /** The number of bytes read when it began to wait. */
  bytesBefore: number;
  /** When more was first seen, in milliseconds; null if there is nothing more. */
  beganAt: number | null;
  /**
   * Requests that have arrived and have no whole response yet. While there is one, the connection waits for the server.
   */
  requests: number;
}

/** Whether to give a request up of which this much has arrived. */
export function isTooSlow(bytes: number, ms: number): boolean {
  return bytes * SECOND_MS < (ms - SLOW_START_MS) * MIN_BYTES_PER_SECOND;
}

/**
 * Keeps one client from taking all connections. A share of them may wait for the clients of one network, and if there
 * are too many, the one that has waited longest is closed, never a visitor who has just come.
 */
export function connectionGuard({ maxConnections, trustProxy, clock, giveUp }: GuardOptions) {
  const connections = new Map<Socket, Connection>();
  /** The waiting connections, longest first: all of them, and by network. */
  const waiting = new Set<Connection>();
  const byNetwork = new Map<string, Set<Connection>>();

  const ownNetworks = ({ remoteAddress }: Socket) =>
    trustProxy === 0 ? clientNetworks({ remoteAddress, forwardedFor: undefined }, 0) : [];

  function wait(connection: Connection, networks: readonly ClientNetwork[]): void {
    waiting.add(connection);
    connection.networks = networks;
    for (const { key, factor } of networks) {
      const others = byNetwork.get(key) ?? new Set();
      byNetwork.set(key, others.add(connection));
      if (others.size > factor * maxConnections * NETWORK_SHARE) closeFirst(others);
    }
  }

  function stopWaiting(connection: Connection): void {
    waiting.delete(connection);
    for (const { key } of connection.networks) {
      const others = byNetwork.get(key);
      others?.delete(connection);
      if (others?.size === 0) byNetwork.delete(key);
    }
  }

  function close(connection: Connection): void {
    const hasBegun = connection.socket.bytesRead > connection.bytesBefore;
    forget(connection);
    if (hasBegun) giveUp(connection.socket);
    else connection.socket.destroy();
  }

  function closeFirst(among: ReadonlySet<Connection>): void {
    const [first] = among;
    if (first !== undefined) close(first);
  }

  function forget(connection: Connection): void {
    stopWaiting(connection);
    connections.delete(connection.socket);
  }

  return {
    count: () => connections.size,
    /**
     * A new connection. If there are too many, closes the one that has waited longest, or this one if all others wait
     * for the server.
     */
    admit(socket: Socket): void {
      if (connections.size >= maxConnections) closeFirst(waiting);
      if (connections.size >= maxConnections) return void socket.destroy();
      const connection = { socket, networks: [], bytesBefore: 0, beganAt: null, requests: 0 };
      connections.set(socket, connection);
      socket.once('close', () => forget(connection));
      wait(connection, ownNetworks(socket));
    },
    /** The headers of a request have arrived. */
    noteRequest(request: IncomingMessage, response: ServerResponse): void {
      const connection = connections.get(request.socket);
      if (connection === undefined) return;
      let hasArrived = false;
      const arrive = () => {
        hasArrived = true;
        connection.requests += 1;
        stopWaiting(connection);
      };
      response.once('close', () => {
        if (hasArrived) connection.requests -= 1;
        if (connection.requests > 0 || !connections.has(connection.socket)) return;
        stopWaiting(connection);
        connection.bytesBefore = connection.socket.bytesRead;
        connection.beganAt = null;
        wait(connection, ownNetworks(connection.socket));
      });
      if (!hasBody(request)) return void arrive();
      request.once('end', arrive);
      if (trustProxy === 0 || connection.requests > 0) return;
      stopWaiting(connection);
      const forwardedFor = request.headers['x-forwarded-for']?.toString();
      wait(connection, clientNetworks({ remoteAddress: request.socket.remoteAddress, forwardedFor }, trustProxy));
    },
    /** Gives up the requests that arrive too slowly. Called again and again. */
    closeSlow(): void {
      for (const connection of waiting) {
        const bytes = connection.socket.bytesRead - connection.bytesBefore;
        if (bytes === 0) continue;
        connection.beganAt ??= clock();
        if (isTooSlow(bytes, clock() - connection.beganAt)) close(connection);
      }
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
