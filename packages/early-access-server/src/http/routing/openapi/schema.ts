import { StorageError } from 'early-access-kit/core';
import * as z from 'zod';
import { parseWholeNumber } from '../../../app/text/whole-number.ts';

/**
 * Parses untrusted input. Throws a `StorageError` with code `invalid` that names each field with a problem and says
 * what it has to be, never what it was. Anything but an object counts as an empty one, so that the fields it lacks are
 * named. `place`: what the error calls the input as a whole.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, place = 'the body'): T {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (hasPrototypeKey(value)) throw new StorageError('invalid', 'no object may have the key __proto__');
  const parsed = schema.safeParse(isObject ? value : {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    // An element of `ids` is reported with the name of the list.
    const names = path.filter((part) => typeof part === 'string');
    return `${names.join('.') || place} ${message}`;
  });
  throw new StorageError('invalid', [...new Set(problems)].join('; '));
}

/**
 * Returns whether the value contains a key such as `__proto__`, which zod silently drops from records, and any
 * condition with it.
 */
export function hasPrototypeKey(value: unknown): boolean {
  const found = [value];
  for (const each of found) {
    if (typeof each !== 'object' || each === null) continue;
    if (Object.hasOwn(each, '__proto__')) return true;
    for (const part of Object.values(each)) found.push(part);
  }
  return false;
}

/**
 * Converts a query string to the form that its schema expects: an empty parameter counts as missing, a repeated one is
 * a list.
 */
export function normalizeQuery(parameters: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, values]) => {
      const given = values.filter((value) => value !== '');
      return given.length === 0 ? [] : [[name, given.length > 1 ? given : given[0]]];
    }),
  );
}

/** The text of an error, which follows the field's name. */
export function rule(text: string, missing = 'is missing') {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? missing : text) };
}

/** The rule for values that cannot be guessed. It is repeated if the value is missing. */
function choiceRule(text: string) {
  return rule(text, `is missing: it ${text}`);
}

export function text(maxLength: number, unit = 'characters') {
  const error = rule(`must be text of at most ${maxLength} ${unit}`);
  return z.string(error).max(maxLength, error);
}

/** A name given by an admin. May not contain an address, because it also appears in the log or the audit. */
export function lineOfText(minLength: number, maxLength: number) {
  const error = `must be one line of at most ${maxLength} characters without an address`;
  const isLine = /^[^\p{Cc}@]*$/u;
  return z.string({ error }).trim().min(minLength, { error }).max(maxLength, { error }).regex(isLine, { error });
}

export function createEnum<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, choiceRule(`must be one of ${values.join(', ')}`));
}

/** A list with at least one of the values, without duplicates and in their order. */
export function createChoices<const Values extends readonly string[]>(values: Values) {
  const error = choiceRule(`must list at least one of ${values.join(', ')}`);
  return z
    .array(z.enum(values, error), error)
    .min(1, error)
    .transform((given) => [...new Set(given)].toSorted((a, b) => values.indexOf(a) - values.indexOf(b)));
}

export function flag() {
  return z.boolean(rule('must be true or false'));
}

export function wholeNumber(min: number, max: number) {
  const error = rule(`must be a whole number from ${min} to ${max}`);
  return z.int(error).min(min, error).max(max, error);
}

export function wholeNumberParam(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (given) => (typeof given === 'string' ? parseWholeNumber(given) : given),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );
}

export function dayParam() {
  return z.iso.date({ error: 'must be a day such as 2026-01-31' });
}

/** The type that a schema describes, as returned by the server and read by the dashboard. */
export type Output<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;
type DeepReadonly<T> = { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** The schema of a record that stores return. TypeScript rejects one with a missing field or another type. */
export function record<T>() {
  return <Shape extends z.ZodRawShape>(id: string, shape: Shape & CheckedShape<T, Shape>, error?: string) =>
    z.object<Shape>(shape, error).meta({ id });
}
type CheckedShape<T, Shape extends z.ZodRawShape> = keyof T extends keyof Shape
  ? z.output<z.ZodObject<Shape>> extends T
    ? unknown
    : never
  : never;

export const time = z.int().min(0).describe('Epoch milliseconds.');
export const count = z.int().min(0);
