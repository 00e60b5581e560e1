import { StorageError } from 'early-access-kit/core';
import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';

/**
 * Reads fields and checks their types. A wrong type throws, because another program wrote it, and guessing might send
 * an email twice.
 */
export function text(document: DocumentSnapshot, field: string): string {
  const value: unknown = document.get(field);
  if (typeof value !== 'string') throw unreadable(document, field);
  return value;
}

export function integer(document: DocumentSnapshot, field: string): number {
  const value: unknown = document.get(field);
  if (typeof value !== 'number') throw unreadable(document, field);
  return value;
}

export const textOrNull = orNull(text);
export const integerOrNull = orNull(integer);

/** Also null if the field is missing. Browsers omit `state` and `session_end`, which are not known yet. */
function orNull<T>(read: (document: DocumentSnapshot, field: string) => T) {
  return (document: DocumentSnapshot, field: string): T | null =>
    (document.get(field) ?? null) === null ? null : read(document, field);
}

/** Empty if the field is missing. */
export function textList(document: DocumentSnapshot, field: string): readonly string[] {
  const value: unknown = document.get(field) ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw unreadable(document, field);
  return value;
}

export function timestamp(document: DocumentSnapshot, field: string): Timestamp {
  const value: unknown = document.get(field);
  if (!(value instanceof Timestamp)) throw unreadable(document, field);
  return value;
}

export function enumValue<T extends string>(document: DocumentSnapshot, field: string, values: readonly T[]): T {
  const found = values.find((value) => value === document.get(field));
  if (found === undefined) throw unreadable(document, field);
  return found;
}

/** Does not include the document's id, which may be the hash of an address. */
export function unreadable(document: DocumentSnapshot, field: string): StorageError {
  return new StorageError(
    'unavailable',
    `Firestore holds a document in ${document.ref.parent.id} with an unreadable ${field}`,
  );
}
