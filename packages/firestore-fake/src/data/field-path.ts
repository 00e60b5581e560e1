import { invalid } from '../status.ts';
import { readString } from './json.ts';
import { fieldName, fieldsOf, type MapFields, map, type Value } from './value.ts';

/** The names from a document's top to one of its fields. */
export type FieldPath = readonly string[];

const SEGMENT = /(?:([A-Za-z_][A-Za-z_0-9]*)|`((?:[^`\\]|\\[`\\])*)`)(\.|$)/y;

/** Reads ``a.`b.c`.d``: a name that is no identifier stands in backticks, with backslashes before backticks and backslashes. */
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

/** Field paths of which none lies within another. */
export function distinctPaths(paths: readonly FieldPath[], at: string): readonly FieldPath[] {
  for (const [index, path] of paths.entries()) {
    const inside = paths.some((other, place) => place !== index && path.every((name, depth) => other[depth] === name));
    if (inside) throw invalid(`${at} names ${path.join('.')} twice, or a field within it`);
  }
  return paths;
}

/** A copy with the field set, the maps on the way made where they are missing; undefined removes it. */
export function withField(fields: MapFields, path: FieldPath, value: Value | undefined): MapFields {
  const [name, ...rest] = path;
  if (name === undefined) return fields;
  const { [name]: current, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [name]: value };
  const isMap = Object.hasOwn(fields, name) && current !== undefined && 'mapValue' in current;
  if (!isMap && value === undefined) return fields;
  return { ...fields, [name]: map(withField(isMap ? fieldsOf(current) : {}, rest, value)) };
}
