import type { StorageAdapter } from '../../core/adapter.ts';
import { StorageError, type StorageErrorCode } from '../../core/errors.ts';

/** What happens to one call before the store acts. Without any of it the store acts at once. */
export interface MemoryStep {
  /** Waits first: so many milliseconds, until a promise settles, or `'forever'`, for a state that has to stay. */
  readonly delay?: number | 'forever' | Promise<unknown> | undefined;
  /** Rejects with this error, or with a `StorageError` of this code, and keeps nothing. */
  readonly fail?: StorageErrorCode | StorageError | undefined;
  /** Rejects with `unavailable` and keeps nothing, as without a network: the call never got there. */
  readonly offline?: boolean | undefined;
}

export interface MemorySignupStep extends MemoryStep {
  /** Answers `duplicate` and keeps nothing, as though somebody had signed the address up before. */
  readonly duplicate?: boolean | undefined;
}

/** One step for all calls, or one for each call in turn, the last of which stays. */
export type MemorySteps<Step extends MemoryStep> = Step | readonly Step[];

/** What a memory adapter does on purpose, call by call. */
export interface MemoryScript {
  readonly createSignup?: MemorySteps<MemorySignupStep> | undefined;
  readonly sendWelcomeEmail?: MemorySteps<MemoryStep> | undefined;
  readonly startSession?: MemorySteps<MemoryStep> | undefined;
  readonly updateSession?: MemorySteps<MemoryStep> | undefined;
  readonly readSummary?: MemorySteps<MemoryStep> | undefined;
  /** For every call that has no steps of its own. */
  readonly every?: MemoryStep | undefined;
}

/** Plays the next step of a call: waits or rejects as it says, and resolves to it. */
export type PlayStep = (call: keyof StorageAdapter) => Promise<MemorySignupStep>;

export function playScript({ every = {}, ...script }: MemoryScript): PlayStep {
  const made = new Map<keyof StorageAdapter, number>();
  return async (call) => {
    const number = made.get(call) ?? 0;
    made.set(call, number + 1);
    const step = stepAt(number, script[call] ?? every);
    if (step.delay !== undefined) await wait(step.delay);
    if (step.offline) throw new StorageError('unavailable', 'the network cannot be reached, as scripted');
    if (step.fail !== undefined) throw failure(step.fail);
    return step;
  };
}

function stepAt(number: number, steps: MemorySteps<MemorySignupStep>): MemorySignupStep {
  if (!isList(steps)) return steps;
  return steps[number] ?? steps.at(-1) ?? {};
}

/** As `Array.isArray`, which does not know read-only lists. */
function isList(steps: MemorySteps<MemorySignupStep>): steps is readonly MemorySignupStep[] {
  return Array.isArray(steps);
}

function wait(delay: number | 'forever' | Promise<unknown>): Promise<unknown> {
  if (typeof delay === 'number') return new Promise((resolve) => setTimeout(resolve, delay));
  return delay === 'forever' ? new Promise(() => {}) : delay;
}

function failure(fail: StorageErrorCode | StorageError): StorageError {
  return typeof fail === 'string' ? new StorageError(fail, 'refused, as scripted') : fail;
}
