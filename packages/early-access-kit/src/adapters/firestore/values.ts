import { StorageError } from '../../core/errors.ts';

/** Values and writes in the format of Firestore's REST API. */

type Storable = string | number | boolean | Date | null | { readonly [field: string]: string | true };
type Value =
  | { stringValue: string }
  | { integerValue: string }
  | { booleanValue: boolean }
  | { timestampValue: string }
  | { nullValue: null }
  | { mapValue: { fields: Record<string, Value> } };
type Transform = { fieldPath: string } & ({ maximum: Value } | { setToServerValue: 'REQUEST_TIME' });

export interface Write {
  update: { name: string; fields: Record<string, Value> };
  /** The fields to set; if missing, the whole document is replaced. */
  updateMask?: { fieldPaths: string[] };
  updateTransforms?: Transform[];
  currentDocument?: { exists: boolean } | undefined;
}

/** All stored numbers are integers. Values of a wrong type are passed on: Firestore or the rules reject them. */
function toValue(value: Storable): Value {
  if (value === null) return { nullValue: null };
  if (typeof value === 'number') return { integerValue: String(value) };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'string') {
    // Firestore would store a different text.
    if (/\p{Cs}/u.test(value)) throw new StorageError('invalid', 'a lone surrogate');
    return { stringValue: value };
  }
  return value instanceof Date ? { timestampValue: value.toJSON() } : { mapValue: { fields: toFields(value) } };
}

export function toFields(record: Record<string, Storable>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, toValue(value)]));
}

/**
 * Sets `fields` (only the given keys of a map), leaves all others unchanged and raises each of `maxima` that is stored
 * lower; such writes give the same document in any order. Creates the document unless `exist` is set.
 */
export function merge(
  name: string,
  fields: Record<string, Storable>,
  maxima: Record<string, number | null>,
  exist?: true,
): Write {
  return {
    update: { name, fields: toFields(fields) },
    updateMask: {
      fieldPaths: Object.entries(fields).flatMap(([field, value]) =>
        value instanceof Object && !(value instanceof Date)
          ? Object.keys(value).map((key) => `${field}.\`${key}\``)
          : field,
      ),
    },
    updateTransforms: Object.entries(maxima).flatMap(([fieldPath, value]) =>
      value === null ? [] : { fieldPath, maximum: toValue(value) },
    ),
    currentDocument: exist && { exists: true },
  };
}
