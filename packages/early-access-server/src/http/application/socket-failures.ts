import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HOUR_MS } from 'early-access-kit/internal';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { Failure, failureBody, JSON_HEADERS } from '../routing/failure.ts';

export const MALFORMED = new Failure(400, 'invalid', 'the request is malformed');

/** Node's error for a request that does not arrive in time. */
export const TIMED_OUT = Object.assign(new Error('the request did not arrive in time'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/** Requests that Node rejects before the application sees them, by error code. All others are malformed. */
const FAILURES: Readonly<Record<string, Failure>> = {
  [TIMED_OUT.code]: new Failure(408, 'unavailable', 'the request did not arrive in time'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Failure(413, 'invalid', 'the request is too large'),
  HPE_HEADER_OVERFLOW: new Failure(431, 'invalid', 'the headers are too large; delete the cookies of this site'),
};
const EXPECTATION_FAILED = new Failure(417, 'invalid', 'Expect must be 100-continue');

export interface SocketFailureOptions {
  readonly log: Log;
  readonly clock: Clock;
}

/** Responds to these requests with a regular error body. Logs oversized headers at most once an hour. */
export function socketFailures({ log, clock }: SocketFailureOptions) {
  const responses = new WeakMap<Duplex, ServerResponse>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  function refuse(error: Error, socket: Duplex): void {
    const failure = FAILURES['code' in error ? String(error.code) : ''] ?? MALFORMED;
    if (failure.status === 431 && clock() - loggedAt >= HOUR_MS) {
      loggedAt = clock();
      log('warn', 'headers-too-large', {
        fix: 'Set fewer or smaller cookies on this domain: such visitors cannot sign up.',
      });
    }
    const response = responses.get(socket);
    const isResponding = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || isResponding) return void socket.destroy();
    socket.end(formatResponse(failure), () => socket.destroy());
  }

  const install = (server: Server): Server =>
    server
      .on('request', (request: IncomingMessage, response: ServerResponse) => responses.set(request.socket, response))
      .on('clientError', refuse)
      .on('checkExpectation', (_, response) => {
        const { headers, body } = toResponse(EXPECTATION_FAILED);
        response.writeHead(EXPECTATION_FAILED.status, headers).end(body);
      });
  return {
    refuse,
    install,
  };
}

function formatResponse(failure: Failure): string {
  const { headers, body } = toResponse(failure);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`;
}

function toResponse(failure: Failure) {
  const body = JSON.stringify(failureBody(failure));
  return { body, headers: { ...JSON_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' } };
}
