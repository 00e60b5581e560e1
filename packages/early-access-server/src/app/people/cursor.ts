import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StorageError } from 'early-access-kit/core';
import type { PeopleSort } from './people.ts';

/** Where a page ended, in the form from which its store can continue. */
export type Position = readonly (number | string)[];

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypted, because a position may be an address and a cursor is part of a URL, and authenticated, so that a changed
 * one is refused.
 */
export function writeCursor(key: Uint8Array, sort: PeopleSort, position: Position): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify([sort, ...position])), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Throws a `StorageError` with code `invalid` unless it was written for this sort, with a position of this length. */
export function readCursor(key: Uint8Array, cursor: string, sort: PeopleSort, length: number): Position {
  const sealed = Buffer.from(cursor, 'base64url');
  const found = unseal(key, sealed);
  // Characters that decode to the same bytes would be a changed cursor too.
  if (found === null || sealed.toString('base64url') !== cursor) throw invalidCursor();
  const [sorted, ...values]: readonly unknown[] = JSON.parse(found);
  const position = values.filter((value) => typeof value === 'number' || typeof value === 'string');
  // Each sort has positions of one length.
  if (sorted !== sort || position.length !== length) throw invalidCursor();
  return position;
}

function unseal(key: Uint8Array, sealed: Buffer): string | null {
  if (sealed.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

function invalidCursor(): StorageError {
  return new StorageError(
    'invalid',
    'after has to be the cursor of a page with the same sort; start with the first page again',
  );
}
