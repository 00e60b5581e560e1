import type { SignupResult, StorageAdapter } from '../core/adapter.ts';
import { StorageError } from '../core/errors.ts';
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
  /** Returns what `read` returns for the response. Every failure becomes a `StorageError`. */
  async function post<T>(
    route: Route | `${Route}/${string}`,
    body: unknown,
    read: (answer: Response) => T | Promise<T>,
  ): Promise<T> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), deadlineMs);
    try {
      const answer = await fetch(endpoint + route, {
        method: 'POST',
        // A string body is sent as text/plain, which needs no preflight; keepalive lets the request outlive a page that is being
        // closed.
        body: JSON.stringify(body),
        keepalive: true,
        signal: abort.signal,
      });
      if (!answer.ok) {
        throw new StorageError(codeOfStatus(answer.status), `the server answered ${answer.status}`, {
          retryAfter: Number(answer.headers.get('Retry-After')) || undefined,
        });
      }
      // Awaited here, so that the deadline also applies to a body that stalls.
      return await read(answer);
    } catch (cause) {
      throw cause instanceof StorageError
        ? cause
        : new StorageError('unavailable', 'no answer from the server', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async createSignup(signup) {
      const attempt = () => post('/signups', signup, readResult);
      try {
        return await attempt();
      } catch (error) {
        // The signup may be stored and only the response lost. Repeating the same submission returns the correct result.
        if (error instanceof StorageError && error.code === 'unavailable') return attempt();
        throw error;
      }
    },
    sendWelcomeEmail: (email) => post('/welcome-email', { email }, discardBody),
    startSession: (session) => post('/sessions', session, discardBody),
    updateSession: (id, update) => post(`/sessions/${encodeURIComponent(id)}`, update, discardBody),
    readSummary: (adminEmail) => post('/summary', { admin_email: adminEmail }, readSummary),
  };
}

/** Chromium shows a response as cancelled if its body is never read, even if it is empty. */
async function discardBody(answer: Response): Promise<void> {
  await answer.text();
}

async function readResult(answer: Response): Promise<SignupResult> {
  const { result }: { result?: unknown } = await answer.json();
  if (result !== 'created' && result !== 'duplicate') throw new TypeError('unexpected body');
  return result;
}

async function readSummary(answer: Response): Promise<AnalyticsSummary> {
  const summary: AnalyticsSummary = await answer.json();
  if (typeof summary.unique_visitors !== 'number') throw new TypeError('unexpected body');
  return summary;
}
