import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeMailbox } from './mailbox.ts';
import { findListed, isOptedOut, planImport } from './opt-out.ts';
import { hasConfirmedSince, type ListedPerson, PERSON_STATES } from './states.ts';

const times = fc.option(fc.integer({ min: 1, max: 9 }));
const history = { state: fc.constantFrom(...PERSON_STATES), confirmed_at: times, unsubscribed_at: times };
const emails = fc.constantFrom('ann@gmail.com', 'a.nn@gmail.com', 'ann+x@googlemail.com', 'bob@x.io', 'bob+y@x.io');
const people = fc.array(fc.record({ email: emails, ...history }), { maxLength: 6 });
const listed = fc
  .array(fc.tuple(emails, fc.record({ id: fc.uuid(), ...history })), { maxLength: 5 })
  .map((entries): ReadonlyMap<string, ListedPerson> => new Map(entries));

/** The other tests generate histories, and use the decision itself. */
it.each([
  ['subscribed', null, null, false],
  ['subscribed', 5, null, false],
  ['subscribed', null, 5, true],
  ['subscribed', 5, 5, true],
  ['subscribed', 6, 5, false],
  ['pending', 6, 5, false],
  ['pending', 4, 5, true],
  ['unsubscribed', 6, 5, true],
  ['unsubscribed', null, null, true],
] as const)(
  'a person who is %s, confirmed at %s and unsubscribed at %s has opted out: %s',
  (state, confirmed, left, expected) => {
    expect(isOptedOut({ state, confirmed_at: confirmed, unsubscribed_at: left })).toBe(expected);
  },
);

describe('an import', () => {
  it('never leaves a person subscribed whose mailbox has opted out and who has not confirmed since', () => {
    fc.assert(
      fc.property(people, listed, (file, before) => {
        const { results, optedOut } = planImport(file, before);
        const added = file.filter((_, index) => results[index] === 'added');
        const optOuts = [
          ...file.filter(({ state }) => state === 'unsubscribed'),
          ...[...before].filter(([, person]) => isOptedOut(person)).map(([email, person]) => ({ ...person, email })),
        ];
        for (const { email, state, confirmed_at } of added.filter((person) => person.state !== 'unsubscribed')) {
          const own = optOuts.filter((other) => normalizeMailbox(other.email) === normalizeMailbox(email));
          for (const { unsubscribed_at } of own) {
            expect([state, hasConfirmedSince(confirmed_at, unsubscribed_at)]).toEqual([state, true]);
          }
        }
        for (const person of optedOut) expect(person.state).not.toBe('unsubscribed');
        // Each address once, and none that is on the list.
        expect(new Set(added.map(({ email }) => email)).size).toBe(added.length);
        for (const { email } of added) expect(before.has(email)).toBe(false);
      }),
    );
  });

  it('is not held up by another spelling on the list that has not opted out', () => {
    const other = { id: '1', state: 'subscribed', confirmed_at: null, unsubscribed_at: null } as const;
    const file = [{ email: 'ann+x@gmail.com', state: 'subscribed' }] as const;
    expect(planImport(file, new Map([['ann@gmail.com', other]])).results).toEqual(['added']);
  });

  it('of people whose mailboxes nobody else has adds all of them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 5 }), fc.record(history), (numbers, person) => {
        const file = numbers.map((number) => ({ ...person, email: `p${number}@x.io` }));
        expect(planImport(file, new Map()).results).toEqual(file.map(() => 'added'));
      }),
    );
  });
});

it('an address is found by its own person, or by one who has opted out with another spelling', () => {
  fc.assert(
    fc.property(emails, listed, (email, before) => {
      const found = findListed(email, before);
      const own = before.get(email);
      if (own !== undefined) expect(found).toBe(own);
      else {
        const others = [...before].filter(([other]) => normalizeMailbox(other) === normalizeMailbox(email));
        expect(found !== undefined).toBe(others.some(([, person]) => isOptedOut(person)));
      }
    }),
  );
});
