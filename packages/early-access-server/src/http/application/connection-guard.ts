import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from 'early-access-kit/internal';
import { type ClientNetwork, clientNetworks } from '../../app/access/client-networks.ts';
import type { Clock } from '../../app/ports/clock.ts';

/** The share of all connections that clients of one network may keep waiting. */
const NETWORK_SHARE = 0.25;
/** Slower requests are aborted after a few seconds of tolerance. Most requests are one or two packets. */
const MIN_BYTES_PER_SECOND = 500;
const SLOW_START_MS = 5 * SECOND_MS;

export interface GuardOptions {
  readonly maxConnections: number;
  /**
   * The number of proxies in front. Their connections carry requests from many clients, so only the request identifies
   * its client.
   */
  readonly trustProxy: number;
  readonly clock: Clock;
  /** Closes the connection of a request that did not arrive in time, with an error response. */
  readonly giveUp: (socket: Socket) => void;
}

/** A connection. It is waiting if its client has to start, continue or send the next request. */
interface Connection {
  readonly socket: Socket;
  networks: readonly ClientNetwork[];
  /** The number of bytes read when it started waiting. */
  bytesBefore: number;
  /** When further bytes were first seen, in milliseconds, or null if there are none. */
  beganAt: number | null;
  /**
   * Requests that have arrived but are not fully responded to. As long as there are any, the connection is not waiting.
   */
  requests: number;
}

/** Returns whether a request that has received this many bytes is too slow. */
export function isTooSlow(bytes: number, ms: number): boolean {
  return bytes * SECOND_MS < (ms - SLOW_START_MS) * MIN_BYTES_PER_SECOND;
}

/**
 * Prevents one client from occupying all connections. Each network may only have a share of waiting connections. If
 * there are too many, the one that has waited longest is closed, so that new visitors are always accepted.
 */
export function connectionGuard({ maxConnections, trustProxy, clock, giveUp }: GuardOptions) {
  const connections = new Map<Socket, Connection>();
  /** The waiting connections, longest first: all, and by network. */
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
     * Adds a new connection. If there are too many, closes the one that has waited longest, or the new one if none is
     * waiting.
     */
    admit(socket: Socket): void {
      if (connections.size >= maxConnections) closeFirst(waiting);
      if (connections.size >= maxConnections) return void socket.destroy();
      const connection = { socket, networks: [], bytesBefore: 0, beganAt: null, requests: 0 };
      connections.set(socket, connection);
      socket.once('close', () => forget(connection));
      wait(connection, ownNetworks(socket));
    },
    /** Called when a request's headers have arrived. */
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
    /** Aborts requests that arrive too slowly. Call it repeatedly. */
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
