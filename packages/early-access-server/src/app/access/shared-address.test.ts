import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it, vi } from 'vitest';
import { sharedAddressWatch } from './shared-address.ts';

it('notes each hundred visitors of whom at least 95 come from one network, in any order, and no others', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100 }), { maxLength: 4 }), fc.nat(), (windows, seed) => {
      const onShared = vi.fn();
      const watch = sharedAddressWatch(onShared);
      for (const shared of windows) {
        for (let index = 0; index < 100; index += 1) {
          // A permutation of the hundred.
          const position = (index * 37 + seed) % 100;
          watch(position < shared ? 'proxy' : `visitor ${position}`);
        }
      }
      expect(onShared).toHaveBeenCalledTimes(windows.filter((shared) => shared >= 95).length);
    }),
  );
});
