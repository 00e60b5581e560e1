import { type FieldPath, readFieldPath } from '../data/field-path.ts';
import { readObject } from '../data/json.ts';

/** A field, or the document's name. */
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
