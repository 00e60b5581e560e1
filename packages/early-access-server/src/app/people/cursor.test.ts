import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const KEY = randomBytes(32);
const RULE = 'after must be the cursor of a page with the same sort; start with the first page again';

it('a cursor is read as it was written, and does not show the address in it', () => {
  const byTime = [1_700_000_000_000, 7];
  expect(readCursor(KEY, writeCursor(KEY, 'newest', byTime), 'newest', 2)).toEqual(byTime);
  const byEmail = ['ada@example.org'];
  const cursor = writeCursor(KEY, 'email', byEmail);
  expect(readCursor(KEY, cursor, 'email', 1)).toEqual(byEmail);
  expect(Buffer.from(cursor, 'base64url').includes('ada')).toBe(false);
});

const written = writeCursor(KEY, 'newest', [1, 2]);

/** A cursor of nothing, with the first bytes of its tag: AES-GCM takes short tags too, which can be guessed. */
function emptyCursor(tagBytes: number): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag().subarray(0, tagBytes)]).toString('base64url');
}

it.each([
  ['', 'newest'],
  ['x', 'newest'],
  // A nonce and a tag without content.
  ['x'.repeat(37), 'newest'],
  ['x'.repeat(38), 'newest'],
  [emptyCursor(4), 'newest'],
  [emptyCursor(16), 'newest'],
  [written, 'oldest'],
  [`${written}=`, 'newest'],
  [`${written.slice(0, -1)}${written.endsWith('A') ? 'B' : 'A'}`, 'newest'],
  [writeCursor(randomBytes(32), 'newest', [1, 2]), 'newest'],
  [writeCursor(KEY, 'newest', [1]), 'newest'],
  [writeCursor(KEY, 'newest', [1, 2, 3]), 'newest'],
] as const)('another text is refused (%#)', (cursor, sort) => {
  expect(() => readCursor(KEY, cursor, sort, 2)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining(RULE) }),
  );
});
