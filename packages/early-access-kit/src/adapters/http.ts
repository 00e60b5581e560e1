import type { SignupResult, StorageAdapter } from '../core/adapter.ts';
import { StorageError } from '../core/errors.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';
import { codeOfStatus, DEFAULT_BASE, type ROUTES } from '../core/protocol.ts';
import type { AnalyticsSummary } from '../core/records.ts';

export interface HttpAdapterOptions {
  /** Where the routes of the protocol stand: a path of this origin or a whole URL; `/api` unless given. */
  endpoint?: string | undefined;
  /** Milliseconds after which a call that has no answer fails with `unavailable`; 10 seconds unless given. */
  deadlineMs?: number | undefined;
}

/** The routes are written out below and only checked against the protocol: its table would be in every visitor's bundle. */
type Route = (typeof ROUTES)[keyof typeof ROUTES];

/** Stores through a server that speaks the protocol of `early-access-kit/core`, such as the self-hosted one. */
export function httpAdapter({
  endpoint = DEFAULT_BASE,
  deadlineMs = CALL_DEADLINE_MS,
}: HttpAdapterOptions = {}): StorageAdapter {
  /** Answers with what `read` makes of the answer. Every way to fail ends in a `StorageError`. */
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
        // A string goes as text/plain, which needs no preflight; keepalive lets it leave a page that is being closed.
        body: JSON.stringify(body),
        keepalive: true,
        signal: abort.signal,
      });
      if (!answer.ok) {
        throw new StorageError(codeOfStatus(answer.status), `the server answered ${answer.status}`, {
          retryAfter: Number(answer.headers.get('Retry-After')) || undefined,
        });
      }
      // Awaited here, so that the deadline holds for a body that stops half-way too.
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
        // The sign-up may have been kept and only its answer lost: the same submission again tells.
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

/** Chromium shows a response whose body nobody reads as cancelled, even if it is empty. */
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
