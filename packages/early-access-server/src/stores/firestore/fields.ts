import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';

/** Fields with their types checked, of documents that only the application writes: a wrong one throws. */
export function text(document: DocumentSnapshot, field: string): string {
  const value: unknown = document.get(field);
  if (typeof value !== 'string') throw new TypeError(`field ${field} holds no text`);
  return value;
}

export function integer(document: DocumentSnapshot, field: string): number {
  const value: unknown = document.get(field);
  if (typeof value !== 'number') throw new TypeError(`field ${field} holds no number`);
  return value;
}

export function integerOrNull(document: DocumentSnapshot, field: string): number | null {
  return document.get(field) === null ? null : integer(document, field);
}

export function millis(document: DocumentSnapshot, field: string): number {
  const value: unknown = document.get(field);
  if (!(value instanceof Timestamp)) throw new TypeError(`field ${field} holds no time`);
  return value.toMillis();
}

export function oneOf<T extends string>(document: DocumentSnapshot, field: string, values: readonly T[]): T {
  const found = values.find((value) => value === document.get(field));
  if (found === undefined) throw new TypeError(`field ${field} holds an unknown value`);
  return found;
}
