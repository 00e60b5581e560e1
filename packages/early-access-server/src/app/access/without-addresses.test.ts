import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { withoutAddresses } from './without-addresses.ts';

it.each([
  ['{"email":"ada@example.org"}', '{"email":"[address]"}'],
  ['/thanks?email=ada%40example.org&x=1', '/thanks?email=[address]&x=1'],
  ['/u/ada%2540example.org/x', '/u/[address]/x'],
  ['550 <ada.l+x@example.org>: unknown', '550 <[address]>: unknown'],
  ['me@acme.example, ada@example.org', 'me@acme.example, [address]'],
  ['ame@acme.example', '[address]'],
  ['no address', 'no address'],
])('%s becomes %s', (text, expected) => {
  expect(withoutAddresses(text, 'me@acme.example')).toBe(expected);
});

it('leaves no address in any JSON, which stays JSON of the same shape', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.emailAddress(), fc.string())),
      fc.dictionary(fc.string(), fc.string()),
      (list, rest) => {
        const text = withoutAddresses(JSON.stringify({ list, count: 1 }), null);
        expect(text).not.toMatch(/@|%40/);
        const parsed: { list: unknown[] } = JSON.parse(text);
        expect(parsed.list).toHaveLength(list.length);
        expect(() => JSON.parse(withoutAddresses(JSON.stringify(rest), null))).not.toThrow();
      },
    ),
  );
});

it('reads a million characters without an address once', () => {
  const text = 'x'.repeat(1_000_000);
  expect(withoutAddresses(`${text} ada@example.org`, null)).toBe(`${text} [address]`);
});
