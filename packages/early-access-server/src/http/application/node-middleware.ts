import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringify } from 'node:querystring';
import { Failure, failureResponse } from '../routing/failure.ts';
import { requestListener } from './listen.ts';
import type { App } from './routes.ts';

/** Properties that Express and body parsers add to a request. */
interface HostRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly body?: unknown;
  rawBody?: Buffer;
}

/** Middleware for Express, Connect or Fastify. It calls `next` for paths that do not belong to the application. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

const CONSUMED = 'something has read the body: mount early-access-server before body parsers';

/**
 * Mounts the application as middleware in Express, Fastify, Connect and `node:http`. Calls `next`, if given, for paths
 * that do not belong to the application. Uses the socket's address as the client's. If a body parser has already read
 * the body, `request.body` is used.
 *
 * @example
 * express().use(nodeMiddleware(createEarlyAccess({ store })));
 */
export function nodeMiddleware(app: App): NodeMiddleware {
  const respond = requestListener(app);
  const refuse = requestListener({ fetch: () => failureResponse(new Failure(500, 'unavailable', CONSUMED)) });
  return (request: HostRequest, response, next) => {
    // Inside a mounted router, Express removes the mount path from `url`.
    const url = request.originalUrl ?? request.url ?? '/';
    // None of the application's own paths needs decoding.
    if (next !== undefined && !app.handles(url.replace(/\?.*/s, ''))) return next();
    request.url = url;
    if (request.readableDidRead && request.rawBody === undefined) {
      const body = serialize(request);
      if (body === null) return void refuse(request, response);
      request.rawBody = body;
    }
    void respond(request, response);
  };
}

/** Rejects values that are nested too deeply: parsers accept more levels than `JSON.stringify` can write. */
function serializeJson(body: object): Buffer {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch {
    return Buffer.alloc(0);
  }
}

/** Restores a body that was already parsed, or returns null if that is not possible. */
function serialize({ headers, body }: HostRequest): Buffer | null {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  if (typeof body !== 'object' || body === null) return null;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return serializeJson(body);
  if (type !== 'application/x-www-form-urlencoded') return null;
  return Buffer.from(stringify({ ...body }));
}
