import { Buffer } from 'node:buffer';
import { invalid } from '../status.ts';
import { asObject, own, readBoolean, readList, readObject, readString, readUnion } from './json.ts';
import { documentPath, isReserved } from './names.ts';
import { formatTime, parseTime } from './time.ts';

/** A value of the REST API, normalised: integers as strings, times in UTC, empty lists and maps without content. */
export type Value =
  | { readonly nullValue: null }
  | { readonly booleanValue: boolean }
  | { readonly integerValue: string }
  | { readonly doubleValue: number | string }
  | { readonly timestampValue: string }
  | { readonly stringValue: string }
  | { readonly bytesValue: string }
  | { readonly referenceValue: string }
  | { readonly geoPointValue: { readonly latitude: number; readonly longitude: number } }
  | { readonly arrayValue: { readonly values?: readonly Value[] } }
  | { readonly mapValue: { readonly fields?: MapFields } };

export type MapFields = Readonly<Record<string, Value>>;

const MAX_DEPTH = 20;
const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const REFERENCE = /^projects\/[^/]+\/databases\/[^/]+\/documents\/(.+)$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function readValue(value: unknown, at: string, depth = 0): Value {
  const [kind, content] = readUnion(value, at);
  const inside = `${at}.${kind}`;
  switch (kind) {
    case 'nullValue':
      if (content !== null && content !== 'NULL_VALUE') throw invalid(`${inside} must be null`);
      return { nullValue: null };
    case 'booleanValue':
      return { booleanValue: readBoolean(content, inside) };
    case 'integerValue':
      return { integerValue: readInteger(content, inside) };
    case 'doubleValue':
      return double(readDouble(content, inside));
    case 'timestampValue':
      return { timestampValue: formatTime(parseTime(readString(content, inside), inside)) };
    case 'stringValue':
      return { stringValue: readText(content, inside) };
    case 'bytesValue':
      return { bytesValue: readBytes(content, inside) };
    case 'referenceValue':
      return { referenceValue: readReference(content, inside) };
    case 'geoPointValue':
      return { geoPointValue: readGeoPoint(content, inside) };
    case 'arrayValue':
      return readArray(content, inside, depth);
    case 'mapValue':
      return map(readFields(readObject(content, inside, ['fields']).fields, inside, depth + 1));
    default:
      throw invalid(`${at} has the unknown kind of value "${kind}"`);
  }
}

/** The fields of a document (depth 0) or of a map inside it. */
export function readFields(value: unknown, at: string, depth = 0): MapFields {
  if (depth > MAX_DEPTH) throw invalid(`${at} is nested deeper than ${MAX_DEPTH} levels`);
  const entries = Object.entries(value === undefined ? {} : asObject(value, at));
  return Object.fromEntries(
    entries.map(([name, content]) => [fieldName(name, at), readValue(content, `${at}.${name}`, depth)]),
  );
}

export function fieldName(name: string, at: string): string {
  if (name === '') throw invalid(`${at} has a field without a name`);
  if (isReserved(name)) throw invalid(`${at}: the field name "${name}" is reserved`);
  if (Buffer.byteLength(name) > 1500) throw invalid(`${at} has a field name of more than 1500 bytes`);
  return name;
}

/** The elements of a list; the REST API omits empty content. */
export function getElements(value: { readonly arrayValue: { readonly values?: readonly Value[] } }): readonly Value[] {
  return value.arrayValue.values ?? [];
}

export function getFields(value: { readonly mapValue: { readonly fields?: MapFields } }): MapFields {
  return value.mapValue.fields ?? {};
}

export function array(values: readonly Value[]): Value {
  return { arrayValue: values.length > 0 ? { values } : {} };
}

export function map(fields: MapFields): Value {
  return { mapValue: Object.keys(fields).length > 0 ? { fields } : {} };
}

/** JSON lacks NaN, infinities and negative zero; protobuf writes them as strings. */
export function double(number: number): Value {
  return { doubleValue: Number.isFinite(number) && !Object.is(number, -0) ? number : doubleName(number) };
}

export function integer(number: bigint): Value {
  return { integerValue: number.toString() };
}

/** An integer as bigint, a double as number, anything else as undefined. */
export function getNumber(value: Value | undefined): bigint | number | undefined {
  if (value === undefined) return undefined;
  if ('integerValue' in value) return BigInt(value.integerValue);
  return 'doubleValue' in value ? Number(value.doubleValue) : undefined;
}

/** The field at a path, or undefined. */
export function findValue(fields: MapFields, path: readonly string[]): Value | undefined {
  const [name, ...rest] = path;
  const value = name === undefined ? undefined : own(fields, name);
  if (value === undefined || rest.length === 0) return value;
  return 'mapValue' in value ? findValue(getFields(value), rest) : undefined;
}

export function clampInteger(number: bigint): bigint {
  return number > MAX_INT ? MAX_INT : number < MIN_INT ? MIN_INT : number;
}

function doubleName(number: number): string {
  return Object.is(number, -0) ? '-0' : String(number);
}

function readInteger(content: unknown, at: string): string {
  const text = typeof content === 'number' && Number.isSafeInteger(content) ? String(content) : content;
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) throw invalid(`${at} must be a whole number in a string`);
  const number = BigInt(text);
  if (clampInteger(number) !== number) throw invalid(`${at} does not fit into 64 bits`);
  return number.toString();
}

function readDouble(content: unknown, at: string): number {
  if (typeof content === 'number') return content;
  if (content === 'NaN' || content === 'Infinity' || content === '-Infinity') return Number(content);
  if (typeof content === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(content)) {
    if (Number.isFinite(Number(content))) return Number(content);
  }
  throw invalid(`${at} must be a number`);
}

function readText(content: unknown, at: string): string {
  const text = readString(content, at);
  if (Buffer.byteLength(text) > 1_048_487) throw invalid(`${at} is longer than 1048487 bytes`);
  return text;
}

function readBytes(content: unknown, at: string): string {
  const text = readString(content, at).replaceAll('-', '+').replaceAll('_', '/');
  if (!BASE64.test(text)) throw invalid(`${at} is not base64`);
  return text;
}

function readReference(content: unknown, at: string): string {
  const name = readString(content, at);
  const path = REFERENCE.exec(name)?.[1];
  if (path === undefined) throw invalid(`${at} is not the name of a document`);
  documentPath(path, at);
  return name;
}

function readGeoPoint(content: unknown, at: string): { latitude: number; longitude: number } {
  const fields = readObject(content, at, ['latitude', 'longitude']);
  const latitude = readDouble(fields.latitude ?? 0, at);
  const longitude = readDouble(fields.longitude ?? 0, at);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) throw invalid(`${at} is not a place on earth`);
  return { latitude, longitude };
}

function readArray(content: unknown, at: string, depth: number): Value {
  const values = readList(readObject(content, at, ['values']).values, at, (item, where) =>
    readValue(item, where, depth + 1),
  );
  if (values.some((item) => 'arrayValue' in item)) throw invalid('Cannot convert an array value in an array value.');
  return array(values);
}
