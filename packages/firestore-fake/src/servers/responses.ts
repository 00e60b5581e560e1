import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { STATUS, STATUS_NAMES, StatusError, type StatusName } from '../status.ts';

/** Headers that other origins may send, including the lite SDK's. As at Google, `Retry-After` is not exposed to them. */
const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'google-cloud-resource-prefix',
  'x-firebase-appcheck',
  'x-firebase-client',
  'x-firebase-gmpid',
  'x-goog-api-client',
  'x-goog-api-key',
  'x-goog-request-params',
].join(',');

/** An error with a canonical code, or a simulated one with an HTTP status. */
type Refusal = StatusError | { readonly httpStatus: number; readonly message: string };

export function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '3600',
  });
  response.end();
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json; charset=UTF-8', JSON.stringify(body));
}

/** Streaming verbs wrap errors in a list, like their results. */
export function sendError(response: ServerResponse, refusal: Refusal, streaming: boolean): void {
  const code = refusal instanceof StatusError ? STATUS[refusal.status].http : refusal.httpStatus;
  const status = refusal instanceof StatusError ? refusal.status : statusName(code);
  const body = { error: { code, message: refusal.message, status } };
  sendJson(response, code, streaming ? [body] : body);
}

export function sendHtml(response: ServerResponse, status: number, page: string): void {
  send(response, status, 'text/html; charset=UTF-8', page);
}

/** The error page of a proxy. */
export function htmlPage(status: number): string {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return `<!DOCTYPE html><html lang="en"><title>${title}</title><h1>${title}</h1></html>`;
}

/** The canonical code for an HTTP status. */
export function statusName(httpStatus: number): StatusName {
  if (httpStatus === 409) return 'ABORTED';
  return STATUS_NAMES.find((name) => STATUS[name].http === httpStatus) ?? 'UNKNOWN';
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'access-control-allow-origin': '*',
    'cache-control': 'private',
    vary: 'Origin, X-Origin, Referer',
  });
  response.end(body);
}
