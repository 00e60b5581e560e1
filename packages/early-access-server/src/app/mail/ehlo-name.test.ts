import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { chooseEhloName } from './ehlo-name.ts';

it('never is an address, localhost or a name without a domain', () => {
  const label = fc.stringMatching(/^[a-z\d]{1,8}$/);
  const unusable = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.ipV4().map((address) => `[${address}]`),
    label,
    label.map((name) => `${name}.localhost`),
    fc.constantFrom('localhost', 'localhost.localdomain', '', undefined),
  );
  const usable = fc.domain();
  fc.assert(
    fc.property(fc.array(unusable), usable, fc.array(fc.oneof(unusable, usable)), (before, name, after) => {
      expect(chooseEhloName(before)).toBeUndefined();
      expect(chooseEhloName([...before, name, ...after])).toBe(name);
    }),
  );
});
