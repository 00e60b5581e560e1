import { DEFAULT_BASE } from 'early-access-kit/internal';
import type { BrandResponse } from 'early-access-server/admin-api';
import { createContext, use } from 'react';
import type { SignInGate } from './sign-in-gate.ts';

/** Why a request failed. Each kind has its own message in the dashboard. */
export type FailureKind =
  | 'signed-out'
  | 'forbidden'
  | 'invalid'
  | 'conflict'
  | 'not-found'
  | 'too-slow'
  | 'rate-limited'
  | 'unreachable'
  | 'server';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface PostOptions {
  /** Whether the request continues after the page closes. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal;
}

/** Client of the admin API. Every method rejects with an `ApiError`, or with an `AbortError` if the caller aborted it. */
export interface AdminApi {
  /** Waits for the admin to sign in again if the session has ended. */
  get<T>(path: string, query?: URLSearchParams, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: object, options?: PostOptions): Promise<T>;
  /** POSTs and returns the raw response, for downloads that are read as a stream. */
  stream(path: string, body: object, signal: AbortSignal): Promise<Response>;
  /** Returns the URL of one of the server's pages, for a frame. */
  frameUrl(path: string, query: URLSearchParams): string;
  /** Imports a CSV file and returns the raw response, which is read as a stream. */
  importFile(file: Blob, flags: URLSearchParams, choices: URLSearchParams, signal: AbortSignal): Promise<Response>;
  /** Like `get` and `post`, but rejects with `signed-out` at once. */
  readonly direct: {
    get<T>(path: string, query?: URLSearchParams, signal?: AbortSignal): Promise<T>;
    post<T>(path: string, body?: object, options?: PostOptions): Promise<T>;
  };
  brand(): Promise<BrandResponse>;
}

const KIND_OF_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'invalid',
  401: 'signed-out',
  403: 'forbidden',
  404: 'not-found',
  408: 'too-slow',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'rate-limited',
};

const TEXT_OF_KIND: Readonly<Record<FailureKind, string>> = {
  'signed-out': 'You are signed out.',
  forbidden: 'Your role does not allow this. Ask an admin.',
  invalid: 'The server rejected this request.',
  conflict: 'This has changed since you opened it. Reload the page.',
  'not-found': 'This no longer exists.',
  'too-slow': 'The upload took over 60 seconds. Split the file, or import it from the command line.',
  'rate-limited': 'Too many requests. Please wait a minute and try again.',
  unreachable: 'The server cannot be reached. Check your connection and try again.',
  server: 'The server could not do this right now. Please try again.',
};

/** `fetch` and the others are parameters, so that stories and tests can use a fake server. */
export function adminApi(
  fetch: typeof globalThis.fetch,
  gate: SignInGate,
  frameUrl = (path: string) => `${DEFAULT_BASE}${path}`,
): AdminApi {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(`${DEFAULT_BASE}${path}`, { credentials: 'same-origin', ...init });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ApiError('unreachable', TEXT_OF_KIND.unreachable);
    }
    if (response.ok) return response;
    throw await readFailure(response);
  };
  const sendSignedIn = async (path: string, init: RequestInit): Promise<Response> => {
    for (;;) {
      try {
        return await send(path, init);
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'signed-out') throw error;
        await gate.untilSignedIn();
      }
    }
  };
  const methods = (request: typeof send) => ({
    async get<T>(path: string, query?: URLSearchParams, signal?: AbortSignal): Promise<T> {
      return read(await request(withQuery(path, query), signal ? { signal } : {}));
    },
    async post<T>(path: string, body: object = {}, options: PostOptions = {}): Promise<T> {
      return read(await request(`/admin${path}`, { ...jsonRequest(body), ...options }));
    },
  });
  return {
    ...methods(sendSignedIn),
    stream: (path, body, signal) => sendSignedIn(`/admin${path}`, { ...jsonRequest(body), signal }),
    frameUrl: (path, query) => frameUrl(withQuery(path, query)),
    importFile: (file, flags, choices, signal) =>
      sendSignedIn(withQuery('/import', flags), {
        method: 'POST',
        // In a header, not the URL, because they may contain addresses.
        headers: { 'Content-Type': 'text/csv', 'Import-Choices': choices.toString() },
        body: file,
        signal,
      }),
    direct: methods(send),
    brand: async () => read(await send('/brand', {})),
  };
}

function jsonRequest(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function withQuery(path: string, query?: URLSearchParams): string {
  return `/admin${path}${query?.size ? `?${query}` : ''}`;
}

/** Responses with 204 have no body. */
async function read(response: Response) {
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

async function readFailure(response: Response): Promise<ApiError> {
  const kind = KIND_OF_STATUS[response.status] ?? 'server';
  // The server's message is only useful for invalid input and conflicts. The other kinds have a text of their own.
  const message =
    kind === 'invalid' || kind === 'conflict' ? readMessage(await response.json().catch(() => null)) : null;
  return new ApiError(kind, message ?? TEXT_OF_KIND[kind]);
}

function readMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  return typeof error.message === 'string' ? error.message : null;
}

const ApiContext = createContext<AdminApi | null>(null);
export const ApiProvider = ApiContext.Provider;

export function useApi(): AdminApi {
  const api = use(ApiContext);
  if (!api) throw new Error('useApi must be used within <ApiProvider>');
  return api;
}
