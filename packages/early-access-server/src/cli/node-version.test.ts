import { expect, it } from 'vitest';
import { OLDEST_NODE, oldNodeMessage } from './node-version.ts';

it.each(['22.16.0', '22.23.3', '24.0.0', '100.0.0'])('accepts Node %s', (version) => {
  expect(oldNodeMessage(version)).toBeNull();
});

it.each(['22.15.1', '22.9.0', '20.20.0', '9.0.0', '18.20.8-nightly'])(
  'names the version needed on Node %s',
  (version) => {
    expect(OLDEST_NODE).toBe('22.16');
    expect(oldNodeMessage(version)).toMatch(/^early-access-kit: this needs Node 22\.16 or newer, [^\n]+\n$/);
  },
);
