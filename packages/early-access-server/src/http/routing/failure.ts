import { type FailureBody, isStorageError, STATUS_OF_CODE } from 'early-access-kit/internal';
import { NO_STORE, PLAIN_HEADERS } from './security-headers.ts';

type FailureError = FailureBody['error'];

/** A rejected or failed request. The message is for developers of clients and never repeats client input. */
export class Failure extends Error {
  readonly status: number;
  readonly code: FailureError['code'];
  /** In seconds. */
  readonly retryAfter: number | undefined;
  /** If the visitor can correct the problem: a text in their language that the form shows. */
  readonly text: string | undefined;
  readonly closed: FailureError['closed'];

  constructor(
    status: number,
    code: FailureError['code'],
    message: string,
    options: {
      retryAfter?: number | undefined;
      text?: string | undefined;
      closed?: FailureError['closed'];
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.text = options.text;
    this.closed = options.closed;
  }
}

/** Converts any error to a `Failure`. Responses to unexpected errors contain no details. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isStorageError(error)) {
    const { code, retryAfter, visitorText: text, cause } = error;
    const message = error.message.replace(/^early-access-kit: /, '');
    return new Failure(STATUS_OF_CODE[code], code, message, { retryAfter, text, cause });
  }
  return new Failure(500, 'unavailable', 'the server failed', { cause: error });
}

export const JSON_HEADERS = {
  ...PLAIN_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': NO_STORE,
  Vary: 'Origin',
};

export function jsonResponse(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: JSON_HEADERS });
}

export function failureResponse(failure: Failure, headers: Record<string, string> = JSON_HEADERS): Response {
  const { status } = failure;
  return new Response(JSON.stringify(failureBody(failure)), {
    status,
    headers: { ...headers, ...retryHeader(failure) },
  });
}

export function failureBody({ code, message, text, closed }: Failure): FailureBody {
  return { error: { code, message, ...(text && { text }), ...(closed && { closed }) } };
}

export function retryHeader({ retryAfter }: Pick<Failure, 'retryAfter'>): Record<string, string> {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}
