import type {} from '@early-access-kit/testkit/provided-rules';
import { afterEach, inject } from 'vitest';
import { PROJECT_ID } from './rest.ts';

/** Enough tests of a file in which the same changed rules decide otherwise. */
const MAX_TESTS = 3;
/** Requests to Google's emulator at a time. */
const AT_ONCE = 12;

/** Each has a separate database, which gets the same requests. */
const watched = inject('watchedRules').map((rules, place) => ({ rules, project: `${PROJECT_ID}-${place}`, tests: 0 }));
const decidesOtherwise = new Set<number>();
const realFetch = globalThis.fetch;

/**
 * A setup file of `npm run task -- test:mutation`: repeats the requests to the tested rules, and notes which of the
 * others decide otherwise.
 */
globalThis.fetch = async (input, init) => {
  const response = await realFetch(input, init);
  const waiting = [...watched.entries()].filter(
    ([place, { tests }]) => tests < MAX_TESTS && !decidesOtherwise.has(place),
  );
  const repeatNext = async (): Promise<void> => {
    const [place, other] = waiting.shift() ?? [];
    if (place === undefined || other === undefined) return;
    const repeated = await realFetch(String(input).replace(PROJECT_ID, other.project), {
      ...init,
      body: typeof init?.body === 'string' ? repeatBody(init.body, other) : null,
    });
    await repeated.arrayBuffer();
    if (repeated.status !== response.status) {
      decidesOtherwise.add(place);
      other.tests += 1;
    }
    await repeatNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, repeatNext));
  return response;
};

/**
 * The same request to another database. Rules are replaced by the changed ones, at the same fixed time if they have
 * one.
 */
function repeatBody(body: string, { rules, project }: { readonly rules: string; readonly project: string }): string {
  if (!body.startsWith('{"rules":')) return body.replaceAll(PROJECT_ID, project);
  const [fixedTime] = /timestamp\.value\(\d+\)/.exec(body) ?? [];
  const content = fixedTime === undefined ? rules : rules.replaceAll('request.time', fixedTime);
  return JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content }] } });
}

afterEach(({ task }) => {
  task.meta.decidesOtherwise = [...decidesOtherwise];
  decidesOtherwise.clear();
});
