import { StorageError } from 'early-access-kit/core';
import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';

/** Fields with their types checked. A wrong one throws, because something else wrote it, and guessing might send an email twice. */
export function text(document: DocumentSnapshot, field: string): string {
  const value: unknown = document.get(field);
  if (typeof value !== 'string') throw unreadable(document, field);
  return value;
}

/** Null also if the field is missing. Browsers omit `state` and `session_end`, which are not known yet. */
export function textOrNull(document: DocumentSnapshot, field: string): string | null {
  const value: unknown = document.get(field) ?? null;
  return value === null ? value : text(document, field);
}

export function integer(document: DocumentSnapshot, field: string): number {
  const value: unknown = document.get(field);
  if (typeof value !== 'number') throw unreadable(document, field);
  return value;
}

export function integerOrNull(document: DocumentSnapshot, field: string): number | null {
  const value: unknown = document.get(field) ?? null;
  return value === null ? value : integer(document, field);
}

export function timestamp(document: DocumentSnapshot, field: string): Timestamp {
  const value: unknown = document.get(field);
  if (!(value instanceof Timestamp)) throw unreadable(document, field);
  return value;
}

export function millis(document: DocumentSnapshot, field: string): number {
  return timestamp(document, field).toMillis();
}

export function enumValue<T extends string>(document: DocumentSnapshot, field: string, values: readonly T[]): T {
  const found = values.find((value) => value === document.get(field));
  if (found === undefined) throw unreadable(document, field);
  return found;
}

/** Names no document, because the names of some are digests of addresses. */
export function unreadable(document: DocumentSnapshot, field: string): StorageError {
  return new StorageError(
    'unavailable',
    `Firestore holds a document in ${document.ref.parent.id} with an unreadable ${field}`,
  );
}
