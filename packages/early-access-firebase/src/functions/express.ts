import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ClientNetwork, clientAddress, clientNetworks, type RequestSource } from 'early-access-server/internal';
import type { Response as ExpressResponse } from 'express';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { toReason } from './log.ts';

/** The host in the URLs for the application, which checks origins by the `Host` header instead. */
const ANY_ORIGIN = 'https://functions.invalid';

/** Converts the request for `fetch`. `path` overrides the path if a function is called by its own URL. */
export function toFetchRequest(request: FunctionRequest, path?: string): Request {
  const url = new URL(request.url, ANY_ORIGIN);
  if (path !== undefined) url.pathname = path;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  // Hosting serves preview channels under other host names, which it forwards in this header.
  const host = request.header('x-forwarded-host') ?? request.header('host');
  if (host !== undefined) headers.set('host', host);
  const hasBody = !['GET', 'HEAD'].includes(request.method);
  return new Request(url, {
    method: request.method,
    headers,
    ...(hasBody && { body: new Uint8Array(request.rawBody) }),
  });
}

/**
 * Google's front end appends its caller's address to X-Forwarded-For. If that caller is Hosting, the visitor's address
 * precedes it.
 */
const HOPS_DIRECTLY = 1;
const HOPS_THROUGH_HOSTING = 2;

const readConnection = (request: FunctionRequest) => ({
  // The Functions emulator forwards requests through a socket without an address.
  remoteAddress: request.socket.remoteAddress ?? (process.env.FUNCTIONS_EMULATOR === 'true' ? '127.0.0.1' : undefined),
  forwardedFor: request.header('x-forwarded-for'),
});

/**
 * Returns the source of a request to a function behind Hosting. A caller of the function's own URL may forge the header
 * that only Hosting sends, and with it the visitor's address, but not its own address.
 */
export function readSource(request: FunctionRequest): RequestSource {
  const connection = readConnection(request);
  const isHosted = request.header('x-forwarded-host') !== undefined;
  return {
    clientAddress: clientAddress(connection, isHosted ? HOPS_THROUGH_HOSTING : HOPS_DIRECTLY),
    proxyAddress: clientAddress(connection, HOPS_DIRECTLY) ?? 'unknown',
  };
}

/** Returns the networks of the caller of a function that pages call by its own URL. */
export function readCaller(request: FunctionRequest): readonly ClientNetwork[] {
  return clientNetworks(readConnection(request), HOPS_DIRECTLY);
}

/** Serves the result of `respond`. If it fails, reports the reason and serves the result of `failed`. */
export function serveExpress(
  respond: (request: FunctionRequest) => Promise<Response>,
  failed: (request: FunctionRequest) => Response,
  report: (reason: string) => void,
) {
  return async (request: FunctionRequest, response: ExpressResponse): Promise<void> => {
    try {
      await sendResponse(await respond(request), response);
    } catch (error) {
      report(toReason(error));
      if (response.headersSent || response.destroyed) return void response.destroy();
      await sendResponse(failed(request), response);
    }
  };
}

/** Streams the response. If that fails, closes the connection, so that half a file never looks complete. */
export async function sendResponse({ status, headers, body }: Response, response: ExpressResponse): Promise<void> {
  response.status(status);
  for (const [name, value] of headers) response.append(name, value);
  if (body === null) response.end();
  else await pipeline(Readable.from(body), response);
}
