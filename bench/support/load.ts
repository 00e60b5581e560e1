import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));

/**
 * The requests of a visitor's page. An `update` goes to one of the first `known` sessions that `start` created in the
 * same `run`; the others open one link each, starting after the first `known`.
 */
export type RequestKind = 'signup' | 'start' | 'update';
type LinkKind = 'confirm' | 'unsubscribe' | 'redeem';

export interface LoadPlan {
  readonly url: string;
  readonly kind: RequestKind | LinkKind;
  /** Distinguishes the addresses and sessions of each run. */
  readonly run: number;
  readonly known?: number;
  readonly connections: number;
  readonly seconds: number;
  /** Average pause of a connection before each request, in milliseconds, exponentially distributed. Default: none. */
  readonly pauseMs?: number;
}

/** Latencies are milliseconds from sending to the complete response. */
export interface LoadResult {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Processor time of the load generator, in milliseconds. */
  readonly processorMs: number;
}

/** Generates load with wrk. Throws if a request is rejected or fails, because the load would not be comparable. */
export async function load({
  url,
  kind,
  run,
  known = 1,
  connections,
  seconds,
  pauseMs = 0,
}: LoadPlan): Promise<LoadResult> {
  const { WRK_PATH: program } = process.env;
  if (!program)
    throw new Error('The load comes from wrk, and there is none on the PATH: install it, Debian and Homebrew have it.');
  const options = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`];
  const given = [kind, String(run), String(known), String(pauseMs)];
  const wrk = spawn(program, [...options, '--timeout', '30s', '--script', SCRIPT, url, '--', ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'exit')]);
  const result: LoadResult = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  const { refused, failed, answered } = result;
  if (refused > 0 || failed > 0) {
    throw new Error(`${kind}: of ${answered + refused + failed} requests ${refused} were refused, ${failed} failed`);
  }
  return result;
}

/** Returns the pause between two requests of a connection for this total rate, if responses took no time. */
export function computeRest(connections: number, perSecond: number): number {
  return (connections / perSecond) * 1_000;
}
