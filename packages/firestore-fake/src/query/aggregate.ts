import type { StoredDocument } from '../data/document.ts';
import { type FieldPath, readFieldPath } from '../data/field-path.ts';
import { optional, readCount, readList, readObject, readString, readUnion } from '../data/json.ts';
import { clampInteger, double, findValue, getNumber, integer, type Value } from '../data/value.ts';
import { invalid } from '../status.ts';

export type Aggregation = { readonly alias: string } & (
  | { readonly kind: 'count'; readonly upTo: number | undefined }
  | { readonly kind: 'sum' | 'avg'; readonly path: FieldPath }
);

export function readAggregations(value: unknown, at: string): readonly Aggregation[] {
  let unnamed = 0;
  const aggregations = readList(value, at, (item, place) => {
    const { alias: given, ...operator } = readObject(item, place, ['alias', 'count', 'sum', 'avg']);
    // The documented default aliases: field_1, field_2, ...
    const alias = given === undefined || given === '' ? `field_${++unnamed}` : readString(given, `${place}.alias`);
    return readAggregation(operator, alias, place);
  });
  const aliases = new Set(aggregations.map(({ alias }) => alias));
  if (aggregations.length < 1 || aggregations.length > 5) throw invalid(`${at} must have one to five aggregations`);
  if (aliases.size < aggregations.length) throw invalid(`${at} uses an alias twice`);
  return aggregations;
}

/** If there are sums or averages, only documents that have all of those fields count, as in Firestore's indexes. */
export function aggregate(
  documents: readonly StoredDocument[],
  aggregations: readonly Aggregation[],
): Readonly<Record<string, Value>> {
  const paths = aggregations.flatMap((aggregation) => (aggregation.kind === 'count' ? [] : [aggregation.path]));
  const counted = documents.filter(({ fields }) => paths.every((path) => findValue(fields, path) !== undefined));
  return Object.fromEntries(aggregations.map((one) => [one.alias, aggregateDocuments(one, counted)]));
}

function aggregateDocuments(aggregation: Aggregation, documents: readonly StoredDocument[]): Value {
  if (aggregation.kind === 'count') {
    return integer(BigInt(Math.min(documents.length, aggregation.upTo ?? documents.length)));
  }
  const numbers = documents.flatMap(({ fields }) => getNumber(findValue(fields, aggregation.path)) ?? []);
  if (aggregation.kind === 'sum') return sum(numbers);
  if (numbers.length === 0) return { nullValue: null };
  return double(numbers.reduce((total: number, number) => total + Number(number), 0) / numbers.length);
}

/** An integer if all numbers are integers and the sum fits into 64 bits. */
function sum(numbers: readonly (bigint | number)[]): Value {
  const whole = numbers.filter((number) => typeof number === 'bigint');
  const total = whole.reduce((result, number) => result + number, 0n);
  if (whole.length === numbers.length && clampInteger(total) === total) return integer(total);
  return double(numbers.reduce((result: number, number) => result + Number(number), 0));
}

function readAggregation(operator: unknown, alias: string, at: string): Aggregation {
  const [kind, content] = readUnion(operator, at);
  if (kind === 'count') {
    const upTo = optional(readObject(content, at, ['upTo']), 'upTo', at, readCount);
    return { alias, kind, upTo };
  }
  if (kind !== 'sum' && kind !== 'avg') throw invalid(`${at} has the unknown aggregation "${kind}"`);
  const { fieldPath } = readObject(readObject(content, at, ['field']).field, `${at}.field`, ['fieldPath']);
  return { alias, kind, path: readFieldPath(fieldPath, `${at}.field`) };
}
