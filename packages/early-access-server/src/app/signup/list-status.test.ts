import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import {
  changeListStatus,
  findClosed,
  LIST_MODES,
  type ListStatus,
  MAX_PLACES,
  needsPeople,
  OPEN_LIST,
  readListStatus,
} from './list-status.ts';

const texts = fc.option(fc.string());
const times = fc.nat(1_000);
const anyStatus: fc.Arbitrary<ListStatus> = fc.record({
  mode: fc.constantFrom(...LIST_MODES),
  closes_at: fc.option(times),
  max_people: fc.option(fc.integer({ min: 1, max: 20 })),
  message: texts,
  link_url: texts,
  link_text: texts,
  takes_requests: fc.boolean(),
});
const people = fc.nat(30);

it('accepts a person exactly if the list is open, before its time, and has a place', () => {
  fc.assert(
    fc.property(anyStatus, people, times, (status, count, now) => {
      const { mode, closes_at, max_people } = status;
      const isOpen = mode === 'open' && (closes_at ?? Infinity) > now && (max_people ?? Infinity) > count;
      expect(findClosed(status, count, now) === null).toBe(isOpen);
      // Nothing else depends on their number.
      if (!needsPeople(status, now)) expect(findClosed(status, count, now)).toEqual(findClosed(status, 0, now));
    }),
  );
});

it('is the same after it was stored, and open if nothing is', () => {
  fc.assert(
    fc.property(anyStatus, (status) => {
      expect(readListStatus(JSON.stringify(status))).toEqual(status);
    }),
  );
  expect(readListStatus(null)).toEqual(OPEN_LIST);
  expect(() => readListStatus('{"mode":"ajar"}')).toThrow('the stored status of the list is invalid');
});

it('does not stay closed by a time that has passed once it is opened, and keeps what is not changed', () => {
  fc.assert(
    fc.property(anyStatus, times, (status, now) => {
      const opened = changeListStatus(status, { mode: 'open', max_people: MAX_PLACES }, now);
      expect(findClosed(opened, 0, now)).toBeNull();
      const closes_at = status.closes_at !== null && status.closes_at > now ? status.closes_at : null;
      expect(opened).toEqual({ ...status, mode: 'open', max_people: MAX_PLACES, closes_at });
      expect(changeListStatus(status, { message: 'New' }, now)).toEqual({ ...status, message: 'New' });
    }),
  );
});
