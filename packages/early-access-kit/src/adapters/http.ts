import type { SharedLink, SignupResult, StorageAdapter } from '../core/adapter.ts';
import { retryOnce, StorageError } from '../core/errors.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';
import { checkEndpoint, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import { codeOfStatus, DEFAULT_BASE, type ROUTES } from '../core/protocol.ts';
import type { AnalyticsSummary } from '../core/records.ts';

/** The server and the deadline of calls. */
export interface HttpAdapterOptions {
  /** The base URL of the protocol's routes: a path of this origin or a full URL. Default: `/api`. */
  endpoint?: string | undefined;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  deadlineMs?: number | undefined;
}

/**
 * The routes are written out below and only type-checked against the protocol: importing its table would add it to
 * every visitor's bundle.
 */
type Route = (typeof ROUTES)[keyof typeof ROUTES] | '/count';

/**
 * Stores data through a server with the public routes of early-access-server.
 *
 * @example
 * const adapter = httpAdapter({ endpoint: 'https://early.example.com/api' });
 */
export function httpAdapter({
  endpoint = DEFAULT_BASE,
  deadlineMs = CALL_DEADLINE_MS,
  ...unknown
}: HttpAdapterOptions = {}): StorageAdapter {
  try {
    if (process.env.NODE_ENV !== 'production') {
      refuseUnknown('httpAdapter', unknown);
      checkEndpoint('httpAdapter', endpoint);
    }
  } catch (error) {
    rethrowMistake(error);
  }

  /**
   * Returns the parsed body, undefined if it is empty. `property` is one that the body must have, because a proxy may
   * respond with anything. Every failure becomes a `StorageError`.
   */
  async function send<T>(
    route: Route | `${Route}/${string}`,
    body: unknown,
    property?: keyof T,
    init?: RequestInit,
  ): Promise<T> {
    const response = await fetch(endpoint + route, {
      method: body ? 'POST' : 'GET',
      // A string body is sent as text/plain, which needs no preflight; keepalive lets the request outlive a page that
      // is being closed.
      body: JSON.stringify(body),
      keepalive: true,
      ...init,
      signal: AbortSignal.timeout(deadlineMs),
    }).catch((cause) => {
      throw new StorageError('unavailable', 'no response', { cause });
    });
    // Always read, or Chromium shows the response as canceled. A proxy's page is not JSON.
    const result = await response.json().catch(() => undefined);
    if (response.ok && (!property || result?.[property] !== undefined)) return result;
    throw new StorageError(codeOfStatus(response.status), `HTTP ${response.status} ${result?.error?.message ?? ''}`, {
      retryAfter: Number(response.headers.get('Retry-After')) || undefined,
      visitorText: result?.error?.text,
    });
  }

  return {
    endpoint,
    createSignup: (signup, lang) =>
      retryOnce(() => send<{ result: SignupResult }>('/signups', { ...signup, lang }, 'result')).then(
        ({ result }) => result,
      ),
    // The response sets a cookie for the link's page. A browser only stores it if the server shares the page's domain.
    inbox: (signup, lang) => send('/inbox', { ...signup, lang }, undefined, { credentials: 'include' }),
    share: (signup, lang) =>
      send<{ share: SharedLink | null }>('/share', { ...signup, lang }, 'share').then(
        ({ share }) => share ?? undefined,
      ),
    count: () =>
      send<{ count: number | null }>('/count', undefined, 'count', ANONYMOUS).then(({ count }) => count ?? undefined),
    sendWelcomeEmail: (email) => send('/welcome-email', { email }),
    startSession: (session) => send('/sessions', session),
    updateSession: (id, update) => send(`/sessions/${encodeURIComponent(id)}`, update),
    readSummary: (adminEmail) => send<AnalyticsSummary>('/summary', { admin_email: adminEmail }, 'unique_visitors'),
  };
}

/** Without credentials, because everyone gets the same number and caches may store it. */
const ANONYMOUS: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer' };
