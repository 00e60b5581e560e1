import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RequestPlan } from './requests.ts';

const PROCESS = fileURLToPath(new URL('load-process.ts', import.meta.url));

export interface LoadPlan extends RequestPlan {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; as many as can be answered unless given. */
  readonly perSecond?: number;
}

/** Latencies are milliseconds from sending to the whole answer. */
export interface LoadResult {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Processor time that it took to put the load on. */
  readonly processorMs: number;
}

/** Puts load on a server from a process of its own. Throws where a request is refused or fails: that would not be the same load. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const result: LoadResult = JSON.parse(await text(child.stdout));
  const { refused, failed, answered } = result;
  if (refused > 0 || failed > 0) {
    throw new Error(
      `${plan.kind}: of ${answered + refused + failed} requests ${refused} were refused, ${failed} failed`,
    );
  }
  return result;
}
