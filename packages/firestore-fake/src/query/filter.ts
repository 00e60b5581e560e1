import { compareText, compareValues, equalValues, getRank } from '../data/compare.ts';
import type { StoredDocument } from '../data/document.ts';
import { type Operand, readOperand, sameOperand } from '../data/field-path.ts';
import { readChoice, readList, readObject, readUnion } from '../data/json.ts';
import type { Names } from '../data/names.ts';
import { findValue, getElements, readValue, type Value } from '../data/value.ts';
import { invalid } from '../status.ts';

const FIELD_OPERATORS = [
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ARRAY_CONTAINS',
  'IN',
  'ARRAY_CONTAINS_ANY',
  'NOT_IN',
] as const;
const UNARY_OPERATORS = ['IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL'] as const;
const MAX_DISJUNCTIONS = 30;

type FieldOperator = (typeof FIELD_OPERATORS)[number];

export type Filter =
  | { readonly kind: 'composite'; readonly operator: 'AND' | 'OR'; readonly filters: readonly Filter[] }
  | { readonly kind: 'field'; readonly operand: Operand; readonly operator: FieldOperator; readonly value: Value }
  | { readonly kind: 'unary'; readonly operand: Operand; readonly operator: (typeof UNARY_OPERATORS)[number] };

export function readFilter(value: unknown, at: string, names: Names): Filter {
  const filter = readPart(value, at, names);
  if (disjunctions(filter) > MAX_DISJUNCTIONS) throw invalid(`${at} has more than ${MAX_DISJUNCTIONS} disjunctions`);
  return filter;
}

/** Fields with an inequality, ordered by path. */
export function fieldsWithInequality(filter: Filter): readonly Operand[] {
  const all = inequalities(filter);
  const distinct = all.filter((operand, index) => all.findIndex((other) => sameOperand(other, operand)) === index);
  return distinct.sort((a, b) => compareText(formatOperand(a), formatOperand(b)));
}

export function operandValue(operand: Operand, document: StoredDocument, names: Names): Value | undefined {
  if (operand.kind === 'name') return { referenceValue: names.full(document.path) };
  return findValue(document.fields, operand.path);
}

export function matches(filter: Filter, document: StoredDocument, names: Names): boolean {
  if (filter.kind === 'composite') {
    const holds = (part: Filter) => matches(part, document, names);
    return filter.operator === 'AND' ? filter.filters.every(holds) : filter.filters.some(holds);
  }
  const actual = operandValue(filter.operand, document, names);
  if (actual === undefined) return false;
  if (filter.kind === 'field') return matchesField(actual, filter.operator, filter.value);
  switch (filter.operator) {
    case 'IS_NULL':
      return isNull(actual);
    case 'IS_NOT_NULL':
      return !isNull(actual);
    case 'IS_NAN':
      return isNullOrNaN(actual) && !isNull(actual);
    case 'IS_NOT_NAN':
      return !isNullOrNaN(actual);
  }
}

function isNull(value: Value): boolean {
  return 'nullValue' in value;
}

function isNullOrNaN(value: Value): boolean {
  return isNull(value) || ('doubleValue' in value && value.doubleValue === 'NaN');
}

/** Inequalities only match values of the same type. Only the unary operators find null and NaN. */
function matchesField(actual: Value, operator: FieldOperator, value: Value): boolean {
  const comparable = getRank(actual) === getRank(value) && !isNullOrNaN(actual) && !isNullOrNaN(value);
  const list = 'arrayValue' in value ? getElements(value) : [];
  const elements = 'arrayValue' in actual ? getElements(actual) : [];
  const contains = (values: readonly Value[], wanted: Value) =>
    !isNullOrNaN(wanted) && values.some((item) => equalValues(item, wanted));
  switch (operator) {
    case 'EQUAL':
      return contains([value], actual);
    case 'NOT_EQUAL':
      return !isNull(actual) && !isNull(value) && !contains([value], actual);
    case 'LESS_THAN':
      return comparable && compareValues(actual, value) < 0;
    case 'LESS_THAN_OR_EQUAL':
      return comparable && compareValues(actual, value) <= 0;
    case 'GREATER_THAN':
      return comparable && compareValues(actual, value) > 0;
    case 'GREATER_THAN_OR_EQUAL':
      return comparable && compareValues(actual, value) >= 0;
    case 'ARRAY_CONTAINS':
      return contains(elements, value);
    case 'ARRAY_CONTAINS_ANY':
      return list.some((wanted) => contains(elements, wanted));
    case 'IN':
      return contains(list, actual);
    case 'NOT_IN':
      return !isNull(actual) && !list.some(isNull) && !contains(list, actual);
  }
}

function readPart(value: unknown, at: string, names: Names): Filter {
  const [kind, content] = readUnion(value, at);
  if (kind === 'compositeFilter') {
    const composite = readObject(content, at, ['op', 'filters']);
    const filters = readList(composite.filters, `${at}.filters`, (item, place) => readPart(item, place, names));
    if (filters.length === 0) throw invalid(`${at} has no filters`);
    return { kind: 'composite', operator: readChoice(composite.op, `${at}.op`, ['AND', 'OR']), filters };
  }
  if (kind === 'unaryFilter') {
    const unary = readObject(content, at, ['op', 'field']);
    const operator = readChoice(unary.op, `${at}.op`, UNARY_OPERATORS);
    return { kind: 'unary', operand: readOperand(unary.field, `${at}.field`), operator };
  }
  if (kind !== 'fieldFilter') throw invalid(`${at} has the unknown kind of filter "${kind}"`);
  const filter = readObject(content, at, ['field', 'op', 'value']);
  const operator = readChoice(filter.op, `${at}.op`, FIELD_OPERATORS);
  const operand = readOperand(filter.field, `${at}.field`);
  return { kind: 'field', operand, operator, value: readComparand(filter.value, operator, operand, at, names) };
}

function readComparand(value: unknown, operator: FieldOperator, operand: Operand, at: string, names: Names): Value {
  const read = readValue(value, `${at}.value`);
  const needsList = operator === 'IN' || operator === 'NOT_IN' || operator === 'ARRAY_CONTAINS_ANY';
  const list = needsList && 'arrayValue' in read ? getElements(read) : undefined;
  if (needsList && (list === undefined || list.length === 0))
    throw invalid(`${at}: ${operator} needs a list that is not empty`);
  const most = operator === 'NOT_IN' ? 10 : MAX_DISJUNCTIONS;
  if (list !== undefined && list.length > most) throw invalid(`${at}: ${operator} takes at most ${most} values`);
  if (operand.kind === 'name') {
    for (const name of list ?? [read]) {
      if (!('referenceValue' in name)) throw invalid(`${at}: __name__ is compared with references only`);
      names.readDocument(name.referenceValue, at);
    }
  }
  return read;
}

/** The number of disjunctions in disjunctive normal form. */
function disjunctions(filter: Filter): number {
  if (filter.kind === 'composite') {
    const parts = filter.filters.map(disjunctions);
    return parts.reduce((total, part) => (filter.operator === 'OR' ? total + part : total * part));
  }
  const alternatives =
    filter.kind === 'field' && (filter.operator === 'IN' || filter.operator === 'ARRAY_CONTAINS_ANY');
  return alternatives && 'arrayValue' in filter.value ? getElements(filter.value).length : 1;
}

function inequalities(filter: Filter): readonly Operand[] {
  if (filter.kind === 'composite') return filter.filters.flatMap(inequalities);
  const byEquality = ['EQUAL', 'IN', 'ARRAY_CONTAINS', 'ARRAY_CONTAINS_ANY', 'IS_NULL', 'IS_NAN'];
  return byEquality.includes(filter.operator) ? [] : [filter.operand];
}

function formatOperand(operand: Operand): string {
  return operand.kind === 'name' ? '__name__' : operand.path.join('.');
}
