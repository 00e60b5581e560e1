import { setInterval } from 'node:timers/promises';
import { signUp } from '../support/crowd.ts';
import type { Ledger } from '../support/ledger.ts';

/** A visitor comes this often, whether those before them are served or not. */
const EVERY_MS = 20;

/** Lets people sign up as they come. Returns how long each waited, in milliseconds, in ascending order. */
export async function signPeopleUp(url: string, people: number, ledger: Ledger): Promise<number[]> {
  const waits: Promise<number>[] = [];
  for await (const _ of setInterval(EVERY_MS)) {
    waits.push(timeSignup(url, ledger));
    if (waits.length === people) break;
  }
  return (await Promise.all(waits)).sort((a, b) => a - b);
}

async function timeSignup(url: string, ledger: Ledger): Promise<number> {
  const started = performance.now();
  if (!(await signUp(url, `${crypto.randomUUID()}@example.org`, ledger)))
    throw new Error('a visitor was not signed up');
  return performance.now() - started;
}
