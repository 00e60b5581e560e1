import type { SignupFields } from 'early-access-kit/core';
import { storedFields } from '../../app/signup/fields.ts';
import { parseWholeNumber } from '../../app/text/whole-number.ts';

/** A result row. Columns are read with their types checked; a wrong type means a broken schema and throws. */
export type Row = Readonly<Record<string, unknown>>;

export function integer(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw new TypeError(`column ${column} holds no number`);
  return value;
}

export function text(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`);
  return value;
}

export function integerOrNull(row: Row | undefined, column: string): number | null {
  return row?.[column] === null ? null : integer(row, column);
}

export function textOrNull(row: Row | undefined, column: string): string | null {
  return row?.[column] === null ? null : text(row, column);
}

export function texts<Column extends string>(
  row: Row | undefined,
  columns: readonly Column[],
): Readonly<Record<Column, string>>;
export function texts(row: Row | undefined, columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column) => [column, text(row, column)]));
}

export function integers<Column extends string>(
  row: Row | undefined,
  columns: readonly Column[],
): Readonly<Record<Column, number>>;
export function integers(row: Row | undefined, columns: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(columns.map((column) => [column, integer(row, column)]));
}

/** Parses the row id in the public id of anything except a person. An invalid id becomes one that no row has. */
export function parseRowId(id: string): number {
  return parseWholeNumber(id) ?? 0;
}

/** Returns the columns that are not null. */
export function presentTexts<Column extends string>(
  row: Row,
  columns: readonly Column[],
): { [Name in Column]?: string } {
  const texts: { [Name in Column]?: string } = {};
  for (const column of columns) if (row[column] !== null) texts[column] = text(row, column);
  return texts;
}

export function readChoice<T extends string>(row: Row, column: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === row[column]);
  if (found === undefined) throw new TypeError(`column ${column} holds something unknown`);
  return found;
}

/** The values in the column `fields`, which is JSON or null. */
export function presentFields(row: Row): { readonly fields?: SignupFields } {
  const json = textOrNull(row, 'fields');
  const fields = json === null ? undefined : storedFields(JSON.parse(json));
  return fields === undefined ? {} : { fields };
}

/** The value to store in the column `fields`. */
export function fieldsJson(fields: SignupFields | undefined): string | null {
  return fields === undefined ? null : JSON.stringify(fields);
}
