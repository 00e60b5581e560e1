import { signupOf } from '../../packages/server/src/fixtures/records.ts';
import { postAsNewClient } from '../support/crowd.ts';

/** A visitor comes this often, whether those before him are served or not. */
const EVERY_MS = 20;

/** Lets people sign up one after the other, as they come. Answers with how long each waited, in milliseconds, in ascending order. */
export async function signPeopleUp(url: string, people: number): Promise<number[]> {
  const waits: Promise<number>[] = [];
  for (let person = 0; person < people; person += 1) {
    waits.push(signUp(url));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  return (await Promise.all(waits)).sort((a, b) => a - b);
}

async function signUp(url: string): Promise<number> {
  const started = performance.now();
  const { status } = await postAsNewClient(`${url}/api/signups`, signupOf());
  if (status !== 201) throw new Error(`a visitor was answered ${status}`);
  return performance.now() - started;
}
