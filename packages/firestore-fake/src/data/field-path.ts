import { invalid } from '../status.ts';
import { readObject, readString } from './json.ts';
import { fieldName, getFields, type MapFields, map, type Value } from './value.ts';

/** The names of nested fields, from the outermost. */
export type FieldPath = readonly string[];

const SEGMENT = /(?:([A-Za-z_][A-Za-z_0-9]*)|`((?:[^`\\]|\\[`\\])*)`)(\.|$)/y;

/** Parses ``a.`b.c`.d``. A name that is not an identifier is quoted with backticks; backslashes escape. */
export function readFieldPath(value: unknown, at: string): FieldPath {
  const text = readString(value, at);
  const names: string[] = [];
  let end = '.';
  SEGMENT.lastIndex = 0;
  while (end === '.') {
    const match = SEGMENT.exec(text);
    if (match === null) throw invalid(`${at} is not a field path: ${text}`);
    names.push(fieldName(match[1] ?? (match[2] ?? '').replaceAll(/\\(.)/gs, '$1'), at));
    end = match[3] ?? '';
  }
  return names;
}

/** Returns a copy with the field set, creating missing maps. Undefined removes the field. */
export function withField(fields: MapFields, path: FieldPath, value: Value | undefined): MapFields {
  const [name, ...rest] = path;
  if (name === undefined) return fields;
  const { [name]: current, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [name]: value };
  const isMap = Object.hasOwn(fields, name) && current !== undefined && 'mapValue' in current;
  if (!isMap && value === undefined) return fields;
  return { ...fields, [name]: map(withField(isMap ? getFields(current) : {}, rest, value)) };
}

/** A field or the document name. */
export type Operand = { readonly kind: 'name' } | { readonly kind: 'field'; readonly path: FieldPath };

export function readOperand(value: unknown, at: string): Operand {
  const { fieldPath } = readObject(value, at, ['fieldPath']);
  if (fieldPath === '__name__') return { kind: 'name' };
  return { kind: 'field', path: readFieldPath(fieldPath, `${at}.fieldPath`) };
}

export function sameOperand(a: Operand, b: Operand): boolean {
  if (a.kind === 'name' || b.kind === 'name') return a.kind === b.kind;
  return a.path.length === b.path.length && a.path.every((name, depth) => b.path[depth] === name);
}
