import { setTimeout } from 'node:timers/promises';

/** A function as the Functions emulator lists it. */
export interface ListedFunction {
  readonly id: string;
  readonly eventTrigger?: { readonly eventFilterPathPatterns?: { readonly document?: string } };
  readonly schedule?: object;
}

/** Returns the functions that an emulator has loaded, by the emulator's address; none while it starts. */
export async function listFunctions(emulator: string): Promise<readonly ListedFunction[]> {
  const response = await fetch(`${emulator}/backends`).catch(() => null);
  if (!response?.ok) return [];
  const { backends }: { backends: { functionTriggers: ListedFunction[] }[] } = JSON.parse(await response.text());
  return backends.flatMap(({ functionTriggers }) => functionTriggers);
}

/** Resolves once the emulator has loaded the functions. Rejects when the signal aborts. */
export async function waitForFunctions(emulator: string, signal: AbortSignal): Promise<void> {
  do await setTimeout(500, undefined, { signal });
  while ((await listFunctions(emulator)).length === 0);
}

/**
 * Calls the scheduled functions repeatedly, one round at a time, because emulators do not. Returns a function that
 * stops this after the current round.
 */
export function callSchedules(emulator: string, project: string, everyMs = 60_000) {
  const stopped = new AbortController();
  const { signal } = stopped;
  const call = ({ id }: ListedFunction) =>
    // The suffix is the generation of the functions, which are loaded once.
    fetch(`${emulator}/functions/projects/${project}/triggers/${id}-0`, { method: 'POST' });
  const ended = (async () => {
    // Not `setInterval`, which would also yield each interval that passed during a round, even after the signal.
    while (true) {
      await setTimeout(everyMs, undefined, { signal });
      const schedules = (await listFunctions(emulator)).filter(({ schedule }) => schedule !== undefined);
      await Promise.allSettled(schedules.map(call));
    }
  })().catch(() => {}); // Rejects with the signal's error at the end.
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}
