import * as z from 'zod';

/** Wraps a schema that describes exactly the type: TypeScript refuses one that lacks a field, or whose field is of another type. */
export function schemaOf<T>() {
  return <S extends z.ZodType<T>>(schema: keyof T extends keyof z.output<S> ? S : never) => schema;
}

/** A point in time. */
export const time = z.int().min(0).describe('Epoch milliseconds.');
/** How many there are. */
export const count = z.int().min(0);
