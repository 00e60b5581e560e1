import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WebhookRequest, WebhookTransport } from '../app/ports/webhook-transport.ts';
import { isAllowedAddress, NOT_PUBLIC, urlProblem } from '../app/webhooks/endpoint-url.ts';

export interface HttpDeliveryOptions {
  /** Allows http, and addresses of this machine and its networks. Default: false. */
  readonly allowLocal?: boolean;
  /** The limit for the time from resolving the name to the response's status, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/** Explains a failed connection to the admin, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed before there was a response',
  ENETUNREACH: 'its network cannot be reached',
  EHOSTUNREACH: 'its network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

class NotDelivered extends Error {}

type Addresses = [LookupAddress, ...LookupAddress[]];

/**
 * Posts over HTTP. The host name is resolved once, all its addresses are checked, and the connection is made to one of
 * them, so that a name cannot resolve to another address afterwards. Follows no redirects, uses no proxy and does not
 * read the response body.
 */
export function httpDelivery({
  allowLocal = false,
  timeoutMs = 10_000,
  resolve = (hostname) => lookup(hostname, { all: true }),
}: HttpDeliveryOptions = {}): WebhookTransport {
  const closing = new AbortController();

  async function resolveAllowed(hostname: string): Promise<Addresses> {
    const [first, ...others] = await resolve(hostname);
    const isAllowed = ({ address }: LookupAddress) => isAllowedAddress(address, allowLocal);
    if (first !== undefined && isAllowed(first) && others.every(isAllowed)) return [first, ...others];
    throw new NotDelivered(`its URL ${NOT_PUBLIC}`);
  }

  return {
    async post(request) {
      const problem = urlProblem(request.url, allowLocal);
      if (problem !== null) return { delivered: false, reason: `its URL ${problem}` };
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const { status, retryAfter } = await send(request, resolveAllowed, AbortSignal.any([timeout, closing.signal]));
        if (status >= 200 && status < 300) return { delivered: true, status };
        const isRedirect = status >= 300 && status < 400;
        return { delivered: false, reason: `it responded ${status}${isRedirect ? ', a redirect' : ''}`, retryAfter };
      } catch (error) {
        if (timeout.aborted) return { delivered: false, reason: `no response within ${timeoutMs / 1_000} seconds` };
        if (closing.signal.aborted) return { delivered: false, reason: 'the server was stopped' };
        return { delivered: false, reason: describeReason(error) };
      }
    },
    close: () => closing.abort(),
  };
}

/** Returns the status and headers of the response. `resolve` is not called if the host is an address. */
function send(
  { url, headers, body }: WebhookRequest,
  resolve: (hostname: string) => Promise<Addresses>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> {
  return new Promise((done, fail) => {
    const target = new URL(url);
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        signal,
        // A new connection each time: a shared agent could reuse a connection to an address from an earlier lookup, or
        // use a proxy.
        agent: false,
        lookup(hostname, { all }, callback) {
          resolve(hostname).then(
            (found) => (all ? callback(null, found) : callback(null, found[0].address, found[0].family)),
            (error) => callback(error, []),
          );
        },
      },
      (response) => {
        response.on('error', () => {});
        response.destroy();
        done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}

function describeReason(error: unknown): string {
  if (error instanceof NotDelivered) return error.message;
  // Several addresses were tried one after the other.
  if (error instanceof AggregateError && error.errors.length > 0) return describeReason(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return REASONS[code] ?? `the connection failed (${code})`;
}
