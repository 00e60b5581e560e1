/** Any content of a JSON file. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a list: the lists of a Firebase configuration may also be a single value. */
export function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The objects among the values of such a list. */
export function toObjects(value: Json | undefined): readonly JsonObject[] {
  return toList(value).filter(isObject);
}

/** Returns `theirs` with the keys of `ours` that it lacks, also inside objects. Existing values are not changed. */
export function addMissing(theirs: JsonObject, ours: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...theirs };
  for (const [key, value] of Object.entries(ours)) {
    const own = merged[key];
    if (own === undefined) merged[key] = value;
    else if (isObject(own) && isObject(value)) merged[key] = addMissing(own, value);
  }
  return merged;
}
