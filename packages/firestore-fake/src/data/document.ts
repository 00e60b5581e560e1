import { Buffer } from 'node:buffer';
import { invalid } from '../status.ts';
import { withField } from './field-path.ts';
import type { Names } from './names.ts';
import { formatTime, type Micros } from './time.ts';
import { findValue, getElements, getFields, type MapFields, type Value } from './value.ts';

/** A stored document. Immutable, so a reference is a snapshot. */
export interface StoredDocument {
  readonly path: string;
  readonly fields: MapFields;
  readonly createTime: Micros;
  readonly updateTime: Micros;
}

export interface WireDocument {
  readonly name: string;
  /** Missing if there are none. */
  readonly fields?: MapFields;
  readonly createTime: string;
  readonly updateTime: string;
}

const MAX_BYTES = 1_048_576;

/** The document as the REST API returns it, with only the fields of the mask if there is one. */
export function wireDocument(
  document: StoredDocument,
  names: Names,
  mask?: readonly (readonly string[])[],
): WireDocument {
  const fields = mask === undefined ? document.fields : masked(document.fields, mask);
  return {
    name: names.full(document.path),
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    createTime: formatTime(document.createTime),
    updateTime: formatTime(document.updateTime),
  };
}

/** Throws if the document exceeds Firestore's limit, by the documented size calculation. */
export function checkSize(path: string, fields: MapFields): void {
  const name = path.split('/').reduce((sum, segment) => sum + Buffer.byteLength(segment) + 1, 16);
  const size = name + mapSize(fields) + 32;
  if (size > MAX_BYTES) {
    throw invalid(
      `Document ${path} cannot be written because its size (${size} bytes) exceeds the limit of ${MAX_BYTES}`,
    );
  }
}

function masked(fields: MapFields, mask: readonly (readonly string[])[]): MapFields {
  let result: MapFields = {};
  for (const path of mask) {
    const value = findValue(fields, path);
    if (value !== undefined) result = withField(result, path, value);
  }
  return result;
}

function mapSize(fields: MapFields): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + 1 + valueSize(value), 0);
}

function valueSize(value: Value): number {
  if ('nullValue' in value || 'booleanValue' in value) return 1;
  if ('stringValue' in value) return Buffer.byteLength(value.stringValue) + 1;
  if ('bytesValue' in value) return Buffer.byteLength(value.bytesValue, 'base64');
  if ('referenceValue' in value) return Buffer.byteLength(value.referenceValue) + 1;
  if ('geoPointValue' in value) return 16;
  if ('arrayValue' in value) return getElements(value).reduce((sum, element) => sum + valueSize(element), 0);
  return 'mapValue' in value ? mapSize(getFields(value)) + 32 : 8;
}
