import type { StorageCall } from '../../core/adapter.ts';
import { StorageError, type StorageErrorCode } from '../../core/errors.ts';

/** Changes the outcome of one call. An empty step changes nothing. */
export interface MemoryStep {
  /** Waits first: for this many milliseconds, until a promise settles, or `'forever'` to freeze a state. */
  readonly delay?: number | 'forever' | Promise<unknown> | undefined;
  /** Rejects with this error, or with a `StorageError` with this code, and stores nothing. */
  readonly fail?: StorageErrorCode | StorageError | undefined;
  /** Rejects with `unavailable` and stores nothing, as if the request was never sent. */
  readonly offline?: boolean | undefined;
}

/** Changes the outcome of one signup, so that stories can show each one. */
export interface MemorySignupStep extends MemoryStep {
  /** Returns `duplicate` and stores nothing, as if the address was already stored. */
  readonly duplicate?: boolean | undefined;
  /** Stores the signup and returns `pending`, as if its address had to be confirmed. */
  readonly pending?: boolean | undefined;
}

/** One step for all calls, or one step per call. The last step of a list also applies to all further calls. */
export type MemorySteps<Step extends MemoryStep> = Step | readonly Step[];

/** The scripted steps of a memory adapter, by method. `every` applies to calls that have no steps. */
export type MemoryScript = {
  readonly createSignup?: MemorySteps<MemorySignupStep> | undefined;
  readonly every?: MemoryStep | undefined;
} & { readonly [Call in Exclude<StorageCall, 'createSignup'>]?: MemorySteps<MemoryStep> | undefined };

/** Runs the next step of a call: waits or rejects as scripted, then resolves to the step. */
export type PlayStep = (call: StorageCall) => Promise<MemorySignupStep>;

export function playScript({ every = {}, ...script }: MemoryScript): PlayStep {
  const made = new Map<StorageCall, number>();
  return async (call) => {
    const number = made.get(call) ?? 0;
    made.set(call, number + 1);
    const step = findStep(number, script[call] ?? every);
    if (step.delay !== undefined) await wait(step.delay);
    if (step.offline) throw new StorageError('unavailable', 'the network cannot be reached, as scripted');
    if (step.fail !== undefined) throw failure(step.fail);
    return step;
  };
}

function findStep(number: number, steps: MemorySteps<MemorySignupStep>): MemorySignupStep {
  if (!isList(steps)) return steps;
  return steps[number] ?? steps.at(-1) ?? {};
}

/** `Array.isArray` does not narrow readonly arrays. */
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
