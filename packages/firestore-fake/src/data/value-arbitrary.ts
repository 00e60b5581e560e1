import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { array, double, type MapFields, map, type Value } from './value.ts';

/** All kinds of values, normalised, for property tests. */
const text = fc.string({ unit: 'binary' });
const name = text.filter((string) => string !== '' && !/^__.*__$/s.test(string));

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constant<Value>({ nullValue: null }),
  fc.boolean().map((booleanValue) => ({ booleanValue })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((number) => ({ integerValue: String(number) })),
  fc.double().map(double),
  text.map((stringValue) => ({ stringValue })),
  fc.uint8Array().map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
  fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }).map((date) => ({
    timestampValue: date.toISOString().replace('.000Z', 'Z'),
  })),
  fc.constant<Value>({ referenceValue: 'projects/p/databases/(default)/documents/a/b' }),
  fc
    .record({ latitude: fc.integer({ min: -90, max: 90 }), longitude: fc.integer({ min: -180, max: 180 }) })
    .map((geoPointValue) => ({ geoPointValue })),
);

const { fields } = fc.letrec<{ fields: MapFields; value: Value; list: Value }>((tie) => ({
  fields: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar, tie('fields').map(map), tie('list')),
  list: fc
    .array(fc.oneof(scalar, fc.dictionary(name, scalar, { maxKeys: 2, noNullPrototype: true }).map(map)), {
      maxLength: 4,
    })
    .map(array),
}));

export const anyFields: fc.Arbitrary<MapFields> = fields;
