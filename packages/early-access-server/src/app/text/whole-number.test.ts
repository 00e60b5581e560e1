import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { parseWholeNumber } from './whole-number.ts';

it('reads every whole number that it writes', () => {
  fc.assert(fc.property(fc.nat({ max: 999_999_999_999_999 }), (number) => parseWholeNumber(`${number}`) === number));
});

it('reads nothing that is not digits alone', () => {
  const digits = /^[0-9]+$/;
  const likeNumbers = fc.string({ unit: fc.constantFrom(...'0123456789.,eExX+-_ \t\n½٣') });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), likeNumbers), (text) => {
      fc.pre(!digits.test(text));
      expect(parseWholeNumber(text)).toBeNull();
    }),
  );
});

it.each([
  '',
  ' 5 ',
  '1e1',
  '0x10',
  '0b1',
  '1_000',
  '1,000',
  '5.0',
  '+5',
  '-1',
  'Infinity',
  'NaN',
  '5px',
  '٣',
  '9'.repeat(16),
])('does not read %j', (text) => expect(parseWholeNumber(text)).toBeNull());
