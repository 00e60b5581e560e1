import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('writes a line of RFC 4180', () => {
  expect(csvLine(['plain', null, 'a,b', 'say "no"', 'two\nlines'])).toBe('plain,,"a,b","say ""no""","two\nlines"\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1'])('lets no spreadsheet run %j', (cell) => {
  expect(csvLine([cell]).replace(/^"/, '')).toMatch(/^'/);
});
