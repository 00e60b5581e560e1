import type {} from '@early-access-kit/testkit/provided-rules';
import { afterEach, inject } from 'vitest';
import { PROJECT_ID } from './rest.ts';

/** The number of differing tests per file after which a changed rule is no longer checked. */
const MAX_TESTS = 3;
/** Parallel requests to Google's emulator. */
const AT_ONCE = 12;

/** Each has its own database, which gets the same requests. */
const watched = inject('watchedRules').map((rules, place) => ({ rules, project: `${PROJECT_ID}-${place}`, tests: 0 }));
const decidesOtherwise = new Set<number>();
const realFetch = globalThis.fetch;

/**
 * A setup file of `npm run task -- test:mutation`: repeats each request against the changed rules, and records those
 * that decide differently from the tested rules.
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
 * Returns the same request for another database. Uploaded rules are replaced by the changed ones, with the same fixed
 * time if there is one.
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
