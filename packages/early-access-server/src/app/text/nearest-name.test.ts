import { expect, it } from 'vitest';
import { findMisspelled, findNearest } from './nearest-name.ts';

it.each([
  ['SMPT_HOST', 'SMTP_HOST'],
  ['TOKNE', 'TOKEN'],
  ['TOKKENN', 'TOKEN'],
  ['PROT', 'PORT'],
  ['POOT', 'PORT'],
  ['TOKEN', 'TOKEN'],
  // A letter in half of its places, and three mistakes, are another name.
  ['TO', undefined],
  ['ST', undefined],
  ['PART_OF', undefined],
  ['XORX', undefined],
  ['SMTP_HOSTNAM', undefined],
])('%s is a misspelling of %s', (given, expected) => {
  expect(findMisspelled(given, ['SMTP_HOST', 'TOKEN', 'PORT', 'TTL'])).toBe(expected);
});

it('finds the name with the fewest mistakes', () => {
  expect(findNearest('colour', ['font', 'color', 'logo'])).toEqual({ name: 'color', typos: 1 });
  expect(findNearest('colour', [])).toBeUndefined();
  expect(findMisspelled('colour', [])).toBeUndefined();
});
