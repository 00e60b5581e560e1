import { type FieldPath, readFieldPath } from '../data/field-path.ts';
import { optional, readBoolean, readChoice, readList, readObject, readString, readUnion } from '../data/json.ts';
import type { Names } from '../data/names.ts';
import { type Micros, parseTime } from '../data/time.ts';
import { getNumber, type MapFields, readFields, readValue, type Value } from '../data/value.ts';
import { invalid } from '../status.ts';

type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'exists'; readonly exists: boolean }
  | { readonly kind: 'updateTime'; readonly updateTime: Micros };

export type Transform = { readonly path: FieldPath } & (
  | { readonly kind: 'serverTime' }
  | { readonly kind: 'increment' | 'maximum' | 'minimum'; readonly operand: Value }
  | { readonly kind: 'append' | 'remove'; readonly elements: readonly Value[] }
);

export type Write = { readonly path: string; readonly precondition: Precondition } & (
  | { readonly kind: 'delete' | 'verify' }
  | {
      readonly kind: 'update';
      readonly fields: MapFields;
      /** Without a mask the fields replace the document. With a mask only these paths change; a path without a value is removed. */
      readonly mask: readonly FieldPath[] | undefined;
      readonly transforms: readonly Transform[];
    }
);

/** A write in the form of the REST API. */
export function readWrite(value: unknown, at: string, names: Names): Write {
  const keys = ['update', 'delete', 'verify', 'updateMask', 'updateTransforms', 'currentDocument'];
  const write = readObject(value, at, keys);
  const precondition = readPrecondition(write.currentDocument, `${at}.currentDocument`);
  const kinds = (['update', 'delete', 'verify'] as const).filter((kind) => write[kind] !== undefined);
  const [kind, ...others] = kinds;
  if (kind === undefined || others.length > 0) throw invalid(`${at} must have one of update, delete and verify`);
  if (kind === 'update') return { kind, precondition, ...readUpdate(write, at, names) };
  if (write.updateMask !== undefined || write.updateTransforms !== undefined) {
    throw invalid(`${at}: only an update may have a mask or transforms`);
  }
  if (kind === 'verify' && precondition.kind === 'none') throw invalid(`${at}: verify needs a precondition`);
  return { kind, precondition, path: names.readDocument(write[kind], `${at}.${kind}`) };
}

function readUpdate(write: Readonly<Record<string, unknown>>, at: string, names: Names) {
  const document = readObject(write.update, `${at}.update`, ['name', 'fields', 'createTime', 'updateTime']);
  const transforms = readList(write.updateTransforms, `${at}.updateTransforms`, readTransform);
  const isInside = (path: FieldPath, other: FieldPath) =>
    path.length < other.length && path.every((name, depth) => other[depth] === name);
  if (transforms.some(({ path }) => transforms.some((other) => isInside(path, other.path)))) {
    throw invalid(`${at} transforms a field and a field within it`);
  }
  return {
    path: names.readDocument(document.name, `${at}.update.name`),
    fields: readFields(document.fields, `${at}.update.fields`),
    mask: optional(write, 'updateMask', at, readMask),
    transforms,
  };
}

export function readMask(value: unknown, at: string): readonly FieldPath[] {
  const mask = readObject(value, at, ['fieldPaths']);
  return readList(mask.fieldPaths, `${at}.fieldPaths`, readFieldPath);
}

function readPrecondition(value: unknown, at: string): Precondition {
  const fields = value === undefined ? {} : readObject(value, at, ['exists', 'updateTime']);
  const exists = optional(fields, 'exists', at, readBoolean);
  const updateTime = optional(fields, 'updateTime', at, readString);
  if (exists !== undefined && updateTime !== undefined) throw invalid(`${at} must have one of exists and updateTime`);
  if (exists !== undefined) return { kind: 'exists', exists };
  return updateTime === undefined
    ? { kind: 'none' }
    : { kind: 'updateTime', updateTime: parseTime(updateTime, `${at}.updateTime`) };
}

function readTransform(value: unknown, at: string): Transform {
  const { fieldPath, ...rest } = readObject(value, at, ['fieldPath', ...TRANSFORMS]);
  const path = readFieldPath(fieldPath, `${at}.fieldPath`);
  const [key, operand] = readUnion(rest, at);
  const kind = readChoice(key, at, TRANSFORMS);
  switch (kind) {
    case 'setToServerValue':
      readChoice(operand, `${at}.${kind}`, ['REQUEST_TIME']);
      return { path, kind: 'serverTime' };
    case 'increment':
    case 'maximum':
    case 'minimum':
      return { path, kind, operand: readNumber(operand, `${at}.${kind}`) };
    case 'appendMissingElements':
      return { path, kind: 'append', elements: readElements(operand, `${at}.${kind}`) };
    case 'removeAllFromArray':
      return { path, kind: 'remove', elements: readElements(operand, `${at}.${kind}`) };
  }
}

const TRANSFORMS = [
  'setToServerValue',
  'increment',
  'maximum',
  'minimum',
  'appendMissingElements',
  'removeAllFromArray',
] as const;

function readNumber(value: unknown, at: string): Value {
  const operand = readValue(value, at);
  if (getNumber(operand) === undefined) throw invalid(`${at} must be a number`);
  return operand;
}

function readElements(value: unknown, at: string): readonly Value[] {
  const list = readValue({ arrayValue: value }, at);
  return 'arrayValue' in list ? (list.arrayValue.values ?? []) : [];
}
