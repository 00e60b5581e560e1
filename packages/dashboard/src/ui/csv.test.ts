import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('texts are quoted if necessary, and never run as formulas', () => {
  expect(
    toCsv(
      ['value', 'visitors'],
      [
        ['a,b', 1],
        ['say "hi"', 2],
        ['=SUM(A1)', -3],
        ['', 0],
      ],
    ),
  ).toBe('value,visitors\r\n"a,b",1\r\n"say ""hi""",2\r\n\'=SUM(A1),-3\r\n,0\r\n');
});
