import { expect, it, vi } from 'vitest';
import { isPersonId, newPersonId } from './person-id.ts';

it('public ids differ, and are in the order in which people sign up', () => {
  vi.useFakeTimers({ now: 0 });
  const ids = Array.from({ length: 100 }, () => {
    vi.advanceTimersByTime(10_000_000_000);
    return [newPersonId(), newPersonId()].toSorted();
  }).flat();
  vi.useRealTimers();
  expect(ids.filter((id) => !isPersonId(id))).toEqual([]);
  const [id = ''] = ids;
  expect([`x${id}`, `${id}x`, `${id}\n`, id.toUpperCase(), ''].filter(isPersonId)).toEqual([]);
  expect(new Set(ids).size).toBe(200);
  expect(ids.toSorted()).toEqual(ids);
});
