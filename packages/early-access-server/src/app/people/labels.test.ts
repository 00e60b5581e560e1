import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import {
  changeLabels,
  joinLabels,
  listLabels,
  MAX_LABEL_LENGTH,
  MAX_LABELS,
  parseLabel,
  presentLabels,
  readLabels,
  splitLabels,
  writeLabels,
} from './labels.ts';

const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: MAX_LABEL_LENGTH })
  .map(parseLabel)
  .filter((parsed) => parsed !== null);
const labels = fc.uniqueArray(label, { maxLength: MAX_LABELS });

it('labels are the same after they were stored, and after an export and an import', () => {
  fc.assert(
    fc.property(labels, (given) => {
      const sorted = changeLabels([], { add: given, remove: [] });
      if (sorted === 'full') throw new Error('they are few enough');
      expect(readLabels(writeLabels(sorted))).toEqual(sorted);
      expect(listLabels(sorted.flatMap((one) => writeLabels([one]) ?? []))).toEqual(sorted);
      const quoted = sorted.some((one) => one.startsWith('"') || one.endsWith('"'));
      if (!quoted) expect(splitLabels(joinLabels(sorted))).toEqual(sorted);
    }),
  );
});

it('a change adds and takes off each label once, and never makes them too many', () => {
  fc.assert(
    fc.property(labels, labels, labels, (stored, add, remove) => {
      const changed = changeLabels(stored, { add, remove });
      const kept = new Set([...stored.filter((one) => !remove.includes(one)), ...add]);
      if (changed === 'full') expect(kept.size).toBeGreaterThan(MAX_LABELS);
      else expect(changed).toEqual([...kept].sort());
    }),
  );
});

it('labels are left out of a person who has none, and listed in their order', () => {
  expect([presentLabels(null), presentLabels('\nVIP\n')]).toEqual([{}, { labels: ['VIP'] }]);
  expect(listLabels(['\nb\n', '\na\nb\n'])).toEqual(['a', 'b']);
});

it.each([
  ['VIP; Press ,VIP', ['Press', 'VIP']],
  ['"vip","early bird"', ['early bird', 'vip']],
  ['""vip"" ; ""a "b" c"" ', ['a "b" c', 'vip']],
  ['vip" , "press', ['press', 'vip']],
  ['5" print', ['5" print']],
  ['x'.repeat(MAX_LABEL_LENGTH), ['x'.repeat(MAX_LABEL_LENGTH)]],
  [' , ;', []],
  ['a\u0000b', null],
  ['x'.repeat(MAX_LABEL_LENGTH + 1), null],
  [Array.from({ length: MAX_LABELS + 1 }, (_, index) => index).join(','), null],
])('the cell %j has the labels %j', (cell, expected) => {
  expect(splitLabels(cell)).toEqual(expected);
});
