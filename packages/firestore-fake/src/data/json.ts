import { invalid } from '../status.ts';

/** Strict readers for request bodies. Anything unknown is an INVALID_ARGUMENT that names its location. */

export type Fields = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, at: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${at} must be an object`);
  return Object.fromEntries(Object.entries(value));
}

/** An object with no other keys than these. */
export function readObject(value: unknown, at: string, keys: readonly string[]): Fields {
  const fields = asObject(value, at);
  for (const key of Object.keys(fields)) {
    if (!keys.includes(key)) throw invalid(`${at} has the unknown field "${key}"`);
  }
  return fields;
}

/** The only entry of a union, such as a value or a filter. */
export function readUnion(value: unknown, at: string): readonly [string, unknown] {
  const [entry, ...others] = Object.entries(asObject(value, at));
  if (entry === undefined || others.length > 0) throw invalid(`${at} must have exactly one field`);
  return entry;
}

export function readString(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(`${at} must be a string`);
  return value;
}

export function readBoolean(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw invalid(`${at} must be true or false`);
  return value;
}

/** An integer from 0, which protobuf's JSON may write as a string. */
export function readCount(value: unknown, at: string): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    throw invalid(`${at} must be a whole number that is not negative`);
  }
  return number;
}

export function readChoice<T extends string>(value: unknown, at: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(`${at} must be one of ${allowed.join(', ')}`);
  return found;
}

/** A list; empty if it is missing. */
export function readList<T>(value: unknown, at: string, read: (item: unknown, at: string) => T): T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`${at} must be a list`);
  return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
}

export function optional<T>(
  fields: Fields,
  key: string,
  at: string,
  read: (value: unknown, at: string) => T,
): T | undefined {
  const value = own(fields, key);
  return value === undefined ? undefined : read(value, `${at}.${key}`);
}

/** Only own entries, because field names can be `constructor` or `__proto__`. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
