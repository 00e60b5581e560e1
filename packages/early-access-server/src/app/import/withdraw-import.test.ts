import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { PERSON_EVENTS } from '../lifecycle/states.ts';
import { addEvents } from '../people/timeline.ts';
import { mayWithdraw } from './withdraw-import.ts';

const ADDED = { at: 1, event: 'add', by: 'import' } as const;
const UNTOUCHED = { attempts: 0, lease_until: 0 };

const events = fc.array(fc.record({ at: fc.nat(), event: fc.constantFrom(...PERSON_EVENTS), by: fc.constant(null) }), {
  minLength: 1,
});
const message = fc.record({ attempts: fc.nat({ max: 3 }), lease_until: fc.nat({ max: 3 }) });

it('erases a person who is as they were added, even if emails wait for them', () => {
  fc.assert(
    fc.property(fc.nat({ max: 5 }), (count) => {
      expect(mayWithdraw(addEvents(null, ADDED), Array(count).fill(UNTOUCHED))).toBe(true);
    }),
  );
});

it('keeps everyone to whom an attempt was made or something has happened, and whose events are not understood', () => {
  fc.assert(
    fc.property(events, fc.array(message), (since, messages) => {
      expect(mayWithdraw(addEvents([ADDED], ...since), messages)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.array(message), message, (before, { attempts, lease_until }) => {
      const attempted = { attempts, lease_until: attempts + lease_until === 0 ? 1 : lease_until };
      expect(mayWithdraw([ADDED], [...before, attempted])).toBe(false);
    }),
  );
  const unknown = fc.anything().filter((value) => JSON.stringify(value) !== JSON.stringify([ADDED]));
  fc.assert(fc.property(unknown, (stored) => !mayWithdraw(stored, [])));
  expect(mayWithdraw([ADDED, { at: 2, event: 'of a later version' }], [])).toBe(false);
});
