import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StorageError } from 'early-access-kit/core';
import type { PeopleSort } from './people.ts';

/** The end of a page, in a form from which the store can continue. */
export type Position = readonly (number | string)[];

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypted, because a position may contain an address and a cursor is part of a URL. Authenticated, so that changed
 * cursors are rejected.
 */
export function writeCursor(key: Uint8Array, sort: PeopleSort, position: Position): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify([sort, ...position])), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Throws a `StorageError` with code `invalid` unless the cursor is for this sort and a position of this length. */
export function readCursor(key: Uint8Array, cursor: string, sort: PeopleSort, length: number): Position {
  const sealed = Buffer.from(cursor, 'base64url');
  const found = unseal(key, sealed);
  // Different characters can decode to the same bytes; such a cursor is rejected as changed.
  if (found === null || sealed.toString('base64url') !== cursor) throw invalidCursor();
  const [sorted, ...values]: readonly unknown[] = JSON.parse(found);
  const position = values.filter((value) => typeof value === 'number' || typeof value === 'string');
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
    'after must be the cursor of a page with the same sort; start with the first page again',
  );
}
