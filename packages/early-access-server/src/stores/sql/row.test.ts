import { describe, expect, it } from 'vitest';
import { integer, integerOrNull, parseRowId, readChoice, text, textOrNull } from './row.ts';

describe('a column', () => {
  const row = { number: 7, text: 'x', nothing: null };

  it('is read with its type', () => {
    expect([integer(row, 'number'), integerOrNull(row, 'number'), integerOrNull(row, 'nothing')]).toEqual([7, 7, null]);
    expect([text(row, 'text'), textOrNull(row, 'text'), textOrNull(row, 'nothing')]).toEqual(['x', 'x', null]);
    expect(readChoice(row, 'text', ['y', 'x'])).toBe('x');
  });

  it.each([
    ['column text holds no number', () => integer(row, 'text')],
    ['column missing holds no number', () => integerOrNull(row, 'missing')],
    ['column number holds no text', () => text(row, 'number')],
    ['column number holds no text', () => text(undefined, 'number')],
    ['column text holds something unknown', () => readChoice(row, 'text', ['y'])],
  ])('with another type is an error: %s', (message, read) => {
    expect(read).toThrow(new TypeError(message));
  });
});

describe('a public id', () => {
  it('is that of the row', () => {
    expect([parseRowId('7'), parseRowId('123456789012345')]).toEqual([7, 123_456_789_012_345]);
  });

  it.each(['', 'x', '-', 'x7', '7x', '1-7', '1234567890123456'])('is that of no row if it is %j', (id) => {
    expect(parseRowId(id)).toBe(0);
  });
});
