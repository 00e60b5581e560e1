import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextState, PERSON_EVENTS, PERSON_STATES } from './states.ts';

const DOCUMENT = new URL('../../../../../docs/decisions/list.md', import.meta.url);

describe('the states of a person', () => {
  it('change as docs/decisions/list.md draws them', () => {
    const drawn = readFileSync(DOCUMENT, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => [...line.matchAll(/`([\w-]+)`/g)].map(([, word]) => word))
      .filter(([state]) => PERSON_STATES.some((known) => known === state));
    const coded = PERSON_STATES.map((state) => [
      state,
      ...PERSON_EVENTS.flatMap((event) => {
        const next = nextState(state, event, 'invited');
        if (next === null) return [];
        return [event, event === 'retry' ? 'before' : next];
      }),
    ]);
    expect(drawn).toEqual(coded);
  });

  it('after a retry is the one in which the address bounced, or subscribed if that is not known', () => {
    expect(nextState('bounced', 'retry', 'pending')).toBe('pending');
    expect(nextState('bounced', 'retry')).toBe('subscribed');
  });
});
