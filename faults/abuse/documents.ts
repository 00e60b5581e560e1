import { nasty } from '@early-access-kit/testkit/hostile';
import fc from 'fast-check';

/** A value as Firestore's REST API writes it. */
export type Value = Readonly<Record<string, unknown>>;
export type Document = Readonly<Record<string, Value>>;

/** What a stranger who writes his requests himself may put into a field, and some things that are no value at all. */
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

/** What of a document is changed: values, or null where the field is left out. Up to three fields, foreign ones too. */
export function changes(document: Document): fc.Arbitrary<ReadonlyMap<string, Value | null>> {
  const names = fc.constantFrom(...Object.keys(document), 'is_admin', '__proto__');
  return fc.array(fc.tuple(names, fc.option(value)), { maxLength: 3 }).map((list) => new Map(list));
}

export function withChanges(document: Document, changed: ReadonlyMap<string, Value | null>): Document {
  const fields = new Map([...Object.entries(document), ...changed]);
  return Object.fromEntries([...fields].flatMap(([name, field]) => (field === null ? [] : [[name, field]])));
}

/** A record of the product as a document. */
export function wire(record: Record<string, string | number | boolean | null | Date>): Document {
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, wireValue(field)]));
}

function wireValue(field: string | number | boolean | null | Date): Value {
  if (field === null) return { nullValue: null };
  if (field instanceof Date) return { timestampValue: field.toISOString() };
  if (typeof field === 'number') return { integerValue: String(field) };
  return typeof field === 'boolean' ? { booleanValue: field } : { stringValue: field };
}

/** As JavaScript has it. Throws for what no record of the product holds. */
export function plain(document: Document): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, field]) => [name, plainValue(field)]));
}

function plainValue(field: Value): unknown {
  if ('nullValue' in field) return null;
  if ('integerValue' in field) return Number(field.integerValue);
  if ('timestampValue' in field) return new Date(String(field.timestampValue));
  if ('stringValue' in field) return field.stringValue;
  if ('booleanValue' in field) return field.booleanValue;
  throw new TypeError(`no record holds ${Object.keys(field)}`);
}
