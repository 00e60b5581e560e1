import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues } from './compare.ts';
import { readFieldPath } from './field-path.ts';
import { formatTime, parseTime } from './time.ts';
import { readFields, readValue, type Value } from './value.ts';
import { anyFields } from './value-arbitrary.ts';

test('values survive a JSON round trip', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      expect(readFields(JSON.parse(JSON.stringify(fields)), 'fields')).toEqual(fields);
    }),
  );
});

test('timestamps have microsecond precision', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }), (micros) => {
      expect(parseTime(formatTime(micros), 'time')).toBe(micros);
    }),
  );
  expect(formatTime(parseTime('2024-02-29T12:00:00.123456789+02:00', 'time'))).toBe('2024-02-29T10:00:00.123456Z');
});

test.each([
  ['2024-02-30', 'without a time of day'],
  ['2024-13-01T00:00:00Z', 'a month that does not exist'],
  ['yesterday', 'words'],
])('%s is not a timestamp (%s)', (timestampValue) => {
  expect(() => readValue({ timestampValue }, 'value')).toThrow('is not a timestamp');
});

test('values have a total order', () => {
  const values = fc.array(anyFields.map((fields): Value => ({ mapValue: { fields } })));
  fc.assert(
    fc.property(values, values, (some, others) => {
      for (const [place, a] of some.entries()) {
        const b = others[place] ?? a;
        expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0);
      }
    }),
  );
});

test('field paths are parsed, and malformed ones are refused', () => {
  expect(readFieldPath('a.b_1', 'path')).toEqual(['a', 'b_1']);
  expect(readFieldPath('a.`b.c`.`d\\`\\\\`', 'path')).toEqual(['a', 'b.c', 'd`\\']);
  for (const broken of ['', 'a.', '.a', 'a b', '1a', '`a', '``', 'a-b', '`a`b', '__a__']) {
    expect(() => readFieldPath(broken, 'path'), broken).toThrow('path');
  }
});
