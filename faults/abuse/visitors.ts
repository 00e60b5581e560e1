import { setInterval } from 'node:timers/promises';
import { signUp } from '../support/crowd.ts';
import type { Ledger } from '../support/ledger.ts';

/** Visitors arrive at this interval, even if earlier ones are still waiting for a response. */
const EVERY_MS = 20;

/** Signs up one visitor per interval. Returns their response times in milliseconds, in the order of their arrival. */
export async function signPeopleUp(url: string, people: number, ledger: Ledger): Promise<number[]> {
  const waits: Promise<number>[] = [];
  for await (const _ of setInterval(EVERY_MS)) {
    waits.push(timeSignup(url, ledger));
    if (waits.length === people) break;
  }
  return Promise.all(waits);
}

async function timeSignup(url: string, ledger: Ledger): Promise<number> {
  const started = performance.now();
  if (!(await signUp(url, `${crypto.randomUUID()}@example.org`, ledger))) throw new Error('a signup was not accepted');
  return performance.now() - started;
}
