import { fc } from '@early-access-kit/testkit/fast-check';
import { nasty } from '@early-access-kit/testkit/hostile';

/** A value in the format of Firestore's REST API. */
export type Value = Readonly<Record<string, unknown>>;
export type Document = Readonly<Record<string, Value>>;

/** Field values that a hand-written request may contain, including some that are not valid Firestore values. */
export const value: fc.Arbitrary<Value> = fc.oneof(
  nasty.map((text) => ({ stringValue: text })),
  fc.integer({ min: -2, max: 5_000 }).map((number) => ({ integerValue: String(number) })),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map((number) => ({ integerValue: String(number) })),
  fc.double().map((number) => ({ doubleValue: Number.isFinite(number) ? number : String(number) })),
  fc.boolean().map((flag) => ({ booleanValue: flag })),
  fc.date({ noInvalidDate: true }).map((date) => ({ timestampValue: date.toISOString() })),
  fc.constantFrom<Value>(
    { nullValue: null },
    { bytesValue: 'AAAA' },
    { arrayValue: { values: [{ stringValue: 'x' }] } },
    { mapValue: { fields: { x: { integerValue: '1' } } } },
    { geoPointValue: { latitude: 1, longitude: 2 } },
    { referenceValue: 'nowhere' },
    {},
    { stringValue: 7 },
  ),
);

/**
 * Changes to a document: new values, or null to remove a field. Up to three fields, including unknown ones. Half of the
 * values of `map`, if the document has it, are the stored map with such changes.
 */
export function changes(document: Document, map?: string): fc.Arbitrary<ReadonlyMap<string, Value | null>> {
  const names = Object.keys(document);
  const stored = map === undefined ? undefined : document[map]?.mapValue;
  const change = fc.tuple(fc.constantFrom(...names, 'is_admin', '__proto__'), fc.option(value));
  if (map === undefined || !isMap(stored)) return some(change);
  const inner = changes(stored.fields).map((changed): [string, Value | null] => [
    map,
    { mapValue: { fields: withChanges(stored.fields, changed) } },
  ]);
  return some(fc.oneof({ weight: names.length, arbitrary: change }, { weight: names.length, arbitrary: inner }));
}

function some(change: fc.Arbitrary<[string, Value | null]>): fc.Arbitrary<ReadonlyMap<string, Value | null>> {
  return fc.array(change, { maxLength: 3 }).map((list) => new Map(list));
}

function isMap(content: unknown): content is { readonly fields: Document } {
  return typeof content === 'object' && content !== null && 'fields' in content;
}

export function withChanges(document: Document, changed: ReadonlyMap<string, Value | null>): Document {
  const fields = new Map([...Object.entries(document), ...changed]);
  return Object.fromEntries([...fields].flatMap(([name, field]) => (field === null ? [] : [[name, field]])));
}

type Plain = string | number | boolean | null | Date | { readonly [name: string]: string | true };

/** Encodes a record as a Firestore document. */
export function wire(record: Readonly<Record<string, Plain>>): Document {
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, wireValue(field)]));
}

function wireValue(field: Plain): Value {
  if (field === null) return { nullValue: null };
  if (field instanceof Date) return { timestampValue: field.toISOString() };
  if (typeof field === 'number') return { integerValue: String(field) };
  if (typeof field === 'boolean') return { booleanValue: field };
  return typeof field === 'string' ? { stringValue: field } : { mapValue: { fields: wire(field) } };
}

/** Decodes a document to plain JavaScript values. Throws for value types that no record contains. */
export function plain(document: Document): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, field]) => [name, plainValue(field)]));
}

function plainValue(field: Value): unknown {
  if ('nullValue' in field) return null;
  if ('integerValue' in field) return Number(field.integerValue);
  if ('timestampValue' in field) return new Date(String(field.timestampValue));
  if ('stringValue' in field) return field.stringValue;
  if ('booleanValue' in field) return field.booleanValue;
  if ('mapValue' in field && isMap(field.mapValue)) return plain(field.mapValue.fields);
  throw new TypeError(`no record contains ${Object.keys(field)}`);
}
