import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { MAX_IMPORT_NAME } from '../ports/list-store.ts';
import { newImport } from './import-name.ts';

it('an import has another id each time, and a name that every database stores', () => {
  expect(newImport('people.csv').id).not.toBe(newImport('people.csv').id);
  expect(newImport(' Liste\u0000 von\nMärz 😀.csv ').name).toBe('Liste  von März 😀.csv');
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), (name) => {
      const stored = newImport(name).name;
      expect([...stored].length).toBeLessThanOrEqual(MAX_IMPORT_NAME);
      expect(stored.isWellFormed() && !/\p{Cc}/u.test(stored)).toBe(true);
    }),
  );
});
