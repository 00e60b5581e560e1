import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** The next timer fires after this many idle turns of the event loop. */
const QUIET_TURNS = 6;
/**
 * Maximum number of timers that fire when time is advanced. A timer that is set repeatedly fires once more at the end.
 */
const MOST_TIMERS = 10;
/** A step that takes more turns is considered endless. */
const MOST_TURNS = 20_000;

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** The time of one history. It only advances if the history advances it, or if nothing else can happen. */
export interface SimulatedTime {
  now: number;
  /**
   * Waits for the work, unless `givesUp` returns true first. If everything waits for timers, the next one fires.
   * Rejects if the work rejects or does not end.
   */
  settle(work: Promise<unknown>, givesUp: () => boolean): Promise<void>;
  /** Advances the time by `ms` milliseconds. */
  pass(ms: number): Promise<void>;
  /** Runs this many turns of the event loop. */
  turns(count: number): Promise<void>;
  /** Call when something happens, so that no timer fires before it is over. */
  noteActivity(): void;
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

let timers = new Set<Timer>();
let now = Date.UTC(2026, 0, 5);
let activity = 0;
let isInstalled = false;

/**
 * Simulates this process's `setTimeout`, `Date.now` and `performance.now` from now on. Clears the timers of an earlier
 * history.
 */
export function simulateTime(): SimulatedTime {
  if (!isInstalled) install();
  isInstalled = true;
  timers = new Set();
  now = Date.UTC(2026, 0, 5);

  return {
    get now() {
      return now;
    },
    set now(time) {
      now = time;
    },
    noteActivity() {
      activity += 1;
    },
    async turns(count) {
      for (let turn = 0; turn < count; turn += 1) await nextTurn();
    },
    async settle(work, givesUp) {
      let isSettled = false;
      const settled = () => {
        isSettled = true;
      };
      work.then(settled, settled);
      let quiet = 0;
      let seen = activity;
      for (let turn = 0; !isSettled; turn += 1) {
        if (givesUp()) return;
        if (turn > MOST_TURNS) throw new Error('a step does not end');
        await nextTurn();
        quiet = seen === activity ? quiet + 1 : 0;
        seen = activity;
        if (quiet < QUIET_TURNS) continue;
        quiet = 0;
        const timer = firstTimer(Number.POSITIVE_INFINITY);
        if (timer !== null) fire(timer);
      }
      if (!givesUp()) await work;
    },
    async pass(ms) {
      const end = now + ms;
      for (let fired = 0; fired < MOST_TIMERS; fired += 1) {
        const timer = firstTimer(end);
        if (timer === null) break;
        fire(timer);
        await this.turns(2);
      }
      now = Math.max(now, end);
      for (const timer of [...timers]) if (timer.at <= now && timers.has(timer)) fire(timer);
      await this.turns(2);
    },
  };
}

function firstTimer(until: number): Timer | null {
  let first: Timer | null = null;
  for (const timer of timers) if (timer.at <= until && (first === null || timer.at < first.at)) first = timer;
  return first;
}

function fire(timer: Timer): void {
  timers.delete(timer);
  now = Math.max(now, timer.at);
  activity += 1;
  timer.fire();
}

function set(run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) {
  const timer = {
    at: now + ms,
    fire: () => run(...values),
    ref: () => timer,
    unref: () => timer,
  };
  timers.add(timer);
  return timer;
}

function install(): void {
  const { clearTimeout: clearReal } = globalThis;
  const clear = (timer: unknown) => {
    for (const each of timers) {
      if (each !== timer) continue;
      timers.delete(each);
      return;
    }
    if (timer instanceof Object && !('fire' in timer)) Reflect.apply(clearReal, undefined, [timer]);
  };
  replace(globalThis, 'setTimeout', set);
  replace(globalThis, 'clearTimeout', clear);
  replace(Date, 'now', () => now);
  replace(performance, 'now', () => now);
  replace(timersPromises, 'setTimeout', (ms: number) => new Promise<void>((resolve) => void set(() => resolve(), ms)));
  syncBuiltinESMExports();
}

/** Replaces an export of a Node module, ignoring types. `syncBuiltinESMExports` updates modules that import it. */
export function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}
