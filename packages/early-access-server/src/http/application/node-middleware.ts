import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringify } from 'node:querystring';
import { Failure, failureResponse } from '../routing/failure.ts';
import { requestListener } from './listen.ts';
import type { App } from './routes.ts';

/** The properties that Express and body parsers add to a request. */
interface HostRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly body?: unknown;
  rawBody?: Buffer;
}

/** A middleware of Express, Connect or Fastify. It calls `next` for paths that are not the application's. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

const CONSUMED = 'something has read the body: mount early-access-server before body parsers';

/**
 * The application as middleware of Express, Fastify, Connect and `node:http`. Passes on requests for paths that are not
 * the application's, if there is a `next`. The client's address is that of the socket. A body that a parser has read
 * already is used as it is in `request.body`.
 *
 * @example
 * express().use(nodeMiddleware(createEarlyAccess({ store })));
 */
export function nodeMiddleware(app: App): NodeMiddleware {
  const respond = requestListener(app);
  const refuse = requestListener({ fetch: () => failureResponse(new Failure(500, 'unavailable', CONSUMED)) });
  return (request: HostRequest, response, next) => {
    // Express removes the path that a router is mounted at.
    const url = request.originalUrl ?? request.url ?? '/';
    // The application's own paths need no decoding.
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

/** No JSON for a value that is nested too deeply: parsers take more levels than `JSON.stringify`. */
function serializeJson(body: object): Buffer {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch {
    return Buffer.alloc(0);
  }
}

/** The body as it may have been before it was parsed; null if that cannot be known. */
function serialize({ headers, body }: HostRequest): Buffer | null {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  if (typeof body !== 'object' || body === null) return null;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return serializeJson(body);
  if (type !== 'application/x-www-form-urlencoded') return null;
  return Buffer.from(stringify({ ...body }));
}
