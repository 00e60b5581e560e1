/** Any content of a JSON file. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts to a list: Firebase configurations may have a single value instead of a list. */
export function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Returns the objects in such a list. */
export function toObjects(value: Json | undefined): readonly JsonObject[] {
  return toList(value).filter(isObject);
}

/** Adds the keys of `ours` that `theirs` lacks, even inside objects. Existing values are not changed. */
export function addMissing(theirs: JsonObject, ours: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...theirs };
  for (const [key, value] of Object.entries(ours)) {
    const own = merged[key];
    if (own === undefined) merged[key] = value;
    else if (isObject(own) && isObject(value)) merged[key] = addMissing(own, value);
  }
  return merged;
}
