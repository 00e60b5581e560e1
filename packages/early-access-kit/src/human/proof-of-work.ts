/*! Contains altcha-lib by Daniel Regeci, MIT */
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { isStorageError, StorageError } from '../core/errors.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';
import { checkEndpoint, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import { codeOfStatus, DEFAULT_BASE } from '../core/protocol.ts';
import type { HumanCheck } from '../signup/form-parts.ts';

/** Options of `proofOfWork`. */
export interface ProofOfWorkOptions {
  /** The base URL of the server's API, as for `httpAdapter`. Default: `/api`. */
  readonly endpoint?: string | undefined;
}

/** A solved challenge. */
interface Work {
  readonly token: string;
  /** A time on this browser's clock, in epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Solved work expires after this time. The server's challenges last longer, because its clock may be ahead of this
 * browser's.
 */
const MAX_AGE_MS = 300_000;
/** Minimum time left for the signup to reach the server. */
const MARGIN_MS = 15_000;

/**
 * A proof of work: the browser works for about two seconds on a challenge from your own server, without a question to
 * the visitor or a request to another service. It starts when the visitor starts to use the form. It uses the browser's
 * asynchronous cryptography, so it needs no worker and does not block the page, but requires a secure context (HTTPS or
 * localhost). Create the check once, outside the component; several forms can share it.
 *
 * @example
 * const humanCheck = proofOfWork({ endpoint: 'https://early.example.com/api' });
 * <SignupForm humanCheck={humanCheck} />
 */
export function proofOfWork({ endpoint = DEFAULT_BASE, ...unknown }: ProofOfWorkOptions = {}): HumanCheck {
  try {
    if (process.env.NODE_ENV !== 'production') {
      refuseUnknown('proofOfWork', unknown);
      checkEndpoint('proofOfWork', endpoint);
    }
  } catch (error) {
    rethrowMistake(error);
  }
  /** The forms that requested work. It stops when none of them is on the page. */
  const containers = new Set<HTMLElement>();
  /** Work that no attempt has used yet. */
  let next: Promise<Work> | undefined;

  function isWanted(): boolean {
    for (const container of containers) if (!container.isConnected) containers.delete(container);
    return containers.size > 0;
  }

  /** Starts working unless work exists already. Failed work is dropped, so that the next call starts again. */
  function begin(): Promise<Work> {
    if (next !== undefined) return next;
    const work = doWork(endpoint, isWanted);
    work.catch(() => {
      if (next === work) next = undefined;
    });
    next = work;
    return work;
  }

  return {
    prepare(container) {
      containers.add(container);
      begin();
    },
    async token(container) {
      containers.add(container);
      const work = begin();
      // Removed immediately: another form must not get the same token.
      next = undefined;
      const { token, expiresAt } = await work;
      return Date.now() < expiresAt ? token : (await doWork(endpoint, isWanted)).token;
    },
  };
}

async function doWork(endpoint: string, isWanted: () => boolean): Promise<Work> {
  try {
    const challenge = await fetchChallenge(endpoint);
    const receivedAt = Date.now();
    const solution = await solveChallenge({
      challenge,
      deriveKey(...parameters) {
        if (!isWanted()) throw new Error('its form was removed');
        return deriveKey(...parameters);
      },
    });
    if (solution === null) throw new Error('it took too long');
    const { expiresAt = Number.POSITIVE_INFINITY } = challenge.parameters;
    return {
      token: btoa(JSON.stringify({ challenge, solution })),
      expiresAt: Math.min(expiresAt * 1_000, receivedAt + MAX_AGE_MS) - MARGIN_MS,
    };
  } catch (cause) {
    throw isStorageError(cause) ? cause : new StorageError('unavailable', 'no proof of work', { cause });
  }
}

async function fetchChallenge(endpoint: string): Promise<Challenge> {
  const response = await fetch(`${endpoint}/human-challenge`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(CALL_DEADLINE_MS),
  });
  if (!response.ok) throw new StorageError(codeOfStatus(response.status), `HTTP ${response.status}`);
  return response.json();
}
