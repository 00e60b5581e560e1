import { afterEach, expect, it, vi } from 'vitest';
import { isId, randomId } from './random-id.ts';

afterEach(() => vi.unstubAllGlobals());

it('creates distinct ids of 128 random bits with the functions available on plain HTTP', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = Array.from({ length: 200 }, randomId);
  for (const id of ids) expect([id, isId(id)]).toEqual([expect.stringMatching(/^\d{1,10}(-\d{1,10}){3}$/), true]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const place of [0, 1, 2, 3]) expect(new Set(ids.map((id) => id.split('-')[place])).size).toBeGreaterThan(190);
});
