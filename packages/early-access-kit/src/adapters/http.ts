import type { SignupResult, StorageAdapter } from '../core/adapter.ts';
import { retryOnce, StorageError } from '../core/errors.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';
import { codeOfStatus, DEFAULT_BASE, type ROUTES } from '../core/protocol.ts';
import type { AnalyticsSummary } from '../core/records.ts';

export interface HttpAdapterOptions {
  /** The base URL of the protocol's routes: a path of this origin or a full URL. Default: `/api`. */
  endpoint?: string | undefined;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  deadlineMs?: number | undefined;
}

/**
 * The routes are written out below and only type-checked against the protocol: importing its table would add it to every visitor's
 * bundle.
 */
type Route = (typeof ROUTES)[keyof typeof ROUTES];

/** Stores data through a server that implements the protocol of `early-access-kit/core`, such as the self-hosted one. */
export function httpAdapter({
  endpoint = DEFAULT_BASE,
  deadlineMs = CALL_DEADLINE_MS,
}: HttpAdapterOptions = {}): StorageAdapter {
  /** Returns the parsed body; it has to pass `check`. Every failure becomes a `StorageError`. */
  async function post<T>(
    route: Route | `${Route}/${string}`,
    body: unknown,
    check?: (result: T) => boolean,
    init?: RequestInit,
  ): Promise<T> {
    try {
      const response = await fetch(endpoint + route, {
        method: 'POST',
        // A string body is sent as text/plain, which needs no preflight; keepalive lets the request outlive a page that is being
        // closed.
        body: JSON.stringify(body),
        keepalive: true,
        ...init,
        signal: AbortSignal.timeout(deadlineMs),
      });
      // Chromium shows a response as cancelled if its body is never read, even if it is empty.
      const text = await response.text();
      if (!response.ok) {
        throw new StorageError(codeOfStatus(response.status), `HTTP ${response.status} ${text.slice(0, 256)}`, {
          retryAfter: Number(response.headers.get('Retry-After')) || undefined,
        });
      }
      const result = text && JSON.parse(text);
      if (check?.(result) === false) throw new TypeError(text);
      return result;
    } catch (cause) {
      throw cause instanceof StorageError ? cause : new StorageError('unavailable', 'no response', { cause });
    }
  }

  return {
    endpoint,
    createSignup: (signup, lang) =>
      retryOnce(() => post('/signups', { ...signup, lang }, isResult)).then(({ result }) => result),
    // The response's cookie is for the page of the link. A browser may only store it if the server shares the page's domain.
    readInbox: (signup, lang) => post('/inbox', { ...signup, lang }, undefined, { credentials: 'include' }),
    sendWelcomeEmail: (email) => post('/welcome-email', { email }),
    startSession: (session) => post('/sessions', session),
    updateSession: (id, update) => post(`/sessions/${encodeURIComponent(id)}`, update),
    readSummary: (adminEmail) => post('/summary', { admin_email: adminEmail }, isSummary),
  };
}

const isResult = ({ result }: { result: SignupResult }) => /^(created|pending|duplicate)$/.test(result);
const isSummary = (summary: AnalyticsSummary) => typeof summary.unique_visitors === 'number';
