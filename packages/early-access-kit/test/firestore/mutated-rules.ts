import { parseRules, type Rules } from '@early-access-kit/firestore-fake';
import type {} from '@early-access-kit/testkit/provided-rules';
import { afterEach, inject, vi } from 'vitest';

/** Enough tests of a file in which the same changed rules decide otherwise. */
const MAX_TESTS = 3;

const watched = inject('watchedRules').map((text) => ({ rules: parseRules(text), tests: 0 }));
const decidesOtherwise = new Set<number>();

/** A setup file of `npm run test:mutation`: what the fake does with the rules that are provided. */
vi.mock('@early-access-kit/firestore-fake', async (importOriginal) => {
  const fake = await importOriginal<typeof import('@early-access-kit/firestore-fake')>();
  const start: typeof fake.startFirestoreFake = ({ rules, ...options } = {}) =>
    fake.startFirestoreFake({
      ...options,
      ...(typeof rules === 'string' && { rules: inject('testedRules') ?? watching(fake.parseRules(rules)) }),
    });
  return { ...fake, startFirestoreFake: start };
});

/** Decides by the rules, and notes which of the others decide otherwise. */
function watching(rules: Rules): Rules {
  return {
    decide(request) {
      const decision = rules.decide(request);
      for (const [place, other] of watched.entries()) {
        if (other.tests === MAX_TESTS || decidesOtherwise.has(place)) continue;
        if (decides(other.rules, request) === decision.allowed) continue;
        decidesOtherwise.add(place);
        other.tests += 1;
      }
      return decision;
    },
  };
}

function decides(rules: Rules, request: Parameters<Rules['decide']>[0]): boolean | 'fails' {
  try {
    return rules.decide(request).allowed;
  } catch {
    return 'fails';
  }
}

afterEach(({ task }) => {
  task.meta.decidesOtherwise = [...decidesOtherwise];
  decidesOtherwise.clear();
});
