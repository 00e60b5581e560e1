import type { FieldPath } from '../data/field-path.ts';
import { type Operand, readOperand, sameOperand } from '../data/field-path.ts';
import {
  type Fields,
  optional,
  readBoolean,
  readChoice,
  readCount,
  readList,
  readObject,
  readString,
} from '../data/json.ts';
import { checkSegment, type Names } from '../data/names.ts';
import { readValue, type Value } from '../data/value.ts';
import { invalid } from '../status.ts';
import { type Filter, fieldsWithInequality, readFilter } from './filter.ts';

interface Order {
  readonly operand: Operand;
  readonly direction: 1 | -1;
}

export interface Cursor {
  readonly values: readonly Value[];
  /** Whether the position is before the documents that equal the values. */
  readonly before: boolean;
}

export interface Query {
  /** The document whose collection is queried, or the root (''). */
  readonly parent: string;
  /** Undefined for all collections, which requires `allDescendants`. */
  readonly collectionId: string | undefined;
  /** All collections of that id at any depth under the parent. */
  readonly allDescendants: boolean;
  readonly where: Filter | undefined;
  /** Complete, including the implied orders and the document name at the end. */
  readonly orderBy: readonly Order[];
  readonly startAt: Cursor | undefined;
  readonly endAt: Cursor | undefined;
  readonly offset: number;
  readonly limit: number | undefined;
  /** The fields to return; undefined for all. */
  readonly select: readonly FieldPath[] | undefined;
}

const KEYS = ['select', 'from', 'where', 'orderBy', 'startAt', 'endAt', 'offset', 'limit'];

export function readQuery(value: unknown, at: string, parent: string, names: Names): Query {
  const query = readObject(value, at, KEYS);
  const where = optional(query, 'where', at, (filter, place) => readFilter(filter, place, names));
  const explicit = readList(query.orderBy, `${at}.orderBy`, readOrder);
  return {
    parent,
    ...readSource(query, at),
    where,
    orderBy: completeOrder(explicit, where, at),
    startAt: optional(query, 'startAt', at, (cursor, place) => readCursor(cursor, place, explicit)),
    endAt: optional(query, 'endAt', at, (cursor, place) => readCursor(cursor, place, explicit)),
    offset: optional(query, 'offset', at, readCount) ?? 0,
    limit: optional(query, 'limit', at, readCount),
    select: optional(query, 'select', at, readProjection),
  };
}

function readSource(query: Fields, at: string) {
  const [from, ...others] = readList(query.from, `${at}.from`, (item, place) =>
    readObject(item, place, ['collectionId', 'allDescendants']),
  );
  if (from === undefined || others.length > 0) throw invalid(`${at}.from must name exactly one collection`);
  const allDescendants = optional(from, 'allDescendants', at, readBoolean) ?? false;
  const collectionId = optional(from, 'collectionId', at, readString);
  if (!allDescendants && collectionId === undefined) throw invalid(`${at}.from must have a collectionId`);
  return {
    collectionId: collectionId === undefined ? undefined : checkSegment(collectionId, `${at}.from`, 'collection'),
    allDescendants,
  };
}

function readOrder(value: unknown, at: string): Order {
  const order = readObject(value, at, ['field', 'direction']);
  const direction = optional(order, 'direction', at, (item, place) =>
    readChoice(item, place, ['ASCENDING', 'DESCENDING', 'DIRECTION_UNSPECIFIED']),
  );
  return { operand: readOperand(order.field, `${at}.field`), direction: direction === 'DESCENDING' ? -1 : 1 };
}

/** Other fields with an inequality come next, in the last direction. The document name always comes last. */
function completeOrder(explicit: readonly Order[], where: Filter | undefined, at: string): readonly Order[] {
  for (const [index, { operand }] of explicit.entries()) {
    const again = explicit.findIndex((other) => sameOperand(other.operand, operand)) !== index;
    if (again) throw invalid(`${at}.orderBy names a field twice`);
    if (operand.kind === 'name' && index < explicit.length - 1)
      throw invalid(`${at}.orderBy has fields after __name__`);
  }
  const direction = explicit.at(-1)?.direction ?? 1;
  const implied = where === undefined ? [] : fieldsWithInequality(where);
  const orders = [...explicit];
  for (const operand of [...implied.filter(({ kind }) => kind === 'field'), { kind: 'name' } as const]) {
    if (!orders.some((order) => sameOperand(order.operand, operand))) orders.push({ operand, direction });
  }
  return orders;
}

function readCursor(value: unknown, at: string, orderBy: readonly Order[]): Cursor {
  const cursor = readObject(value, at, ['values', 'before']);
  const values = readList(cursor.values, `${at}.values`, (item, place) => readValue(item, place));
  if (values.length > orderBy.length) throw invalid(`${at} has more values than the query has orders`);
  return { values, before: optional(cursor, 'before', at, readBoolean) ?? false };
}

/** `select` of `__name__` alone returns documents without fields. */
function readProjection(value: unknown, at: string): readonly FieldPath[] {
  const { fields } = readObject(value, at, ['fields']);
  const operands = readList(fields, `${at}.fields`, readOperand);
  return operands.flatMap((operand) => (operand.kind === 'field' ? [operand.path] : []));
}
