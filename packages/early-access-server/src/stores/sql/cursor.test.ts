import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const KEY = randomBytes(32);
const RULE = 'after has to be the cursor of a page with the same sort; start with the first page again';

it('a cursor is read as it was written, and does not show the address in it', () => {
  const byTime = { sort: 'newest', last: [1_700_000_000_000, 7] } as const;
  expect(readCursor(KEY, writeCursor(KEY, byTime), 'newest')).toEqual(byTime);
  const byEmail = { sort: 'email', last: ['ada@example.org'] } as const;
  const cursor = writeCursor(KEY, byEmail);
  expect(readCursor(KEY, cursor, 'email')).toEqual(byEmail);
  expect(Buffer.from(cursor, 'base64url').includes('ada')).toBe(false);
});

const written = writeCursor(KEY, { sort: 'newest', last: [1, 2] });

it.each([
  ['', 'newest'],
  ['x', 'newest'],
  // A nonce and a tag without content.
  ['x'.repeat(37), 'newest'],
  ['x'.repeat(38), 'newest'],
  [written, 'oldest'],
  [`${written}=`, 'newest'],
  [`${written.slice(0, -1)}${written.endsWith('A') ? 'B' : 'A'}`, 'newest'],
  [writeCursor(randomBytes(32), { sort: 'newest', last: [1, 2] }), 'newest'],
  [writeCursor(KEY, { sort: 'newest', last: [1] }), 'newest'],
  [writeCursor(KEY, { sort: 'email', last: ['a', 'b'] }), 'email'],
  [writeCursor(KEY, { sort: 'email', last: [] }), 'email'],
] as const)('another text is refused (%#)', (cursor, sort) => {
  expect(() => readCursor(KEY, cursor, sort)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining(RULE) }),
  );
});
