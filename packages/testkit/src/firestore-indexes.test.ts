import { expect, it } from 'vitest';
import { type DeployedIndexes, missingIndex, type StructuredQuery } from './firestore-indexes.ts';

const ascending = (fieldPath: string) => ({ fieldPath, order: 'ASCENDING' });
const descending = (fieldPath: string) => ({ fieldPath, order: 'DESCENDING' });
const index = (...fields: { fieldPath: string; order?: string; arrayConfig?: string }[]) => ({
  collectionGroup: 'people',
  queryScope: 'COLLECTION',
  fields,
});
const DEPLOYED: DeployedIndexes = {
  indexes: [
    index(ascending('state'), ascending('at')),
    index(ascending('source'), ascending('at')),
    index(ascending('at'), descending('email')),
    index(ascending('at'), ascending('seconds')),
    index({ fieldPath: 'tags', arrayConfig: 'CONTAINS' }, descending('at')),
  ],
  fieldOverrides: [
    { collectionGroup: 'people', fieldPath: 'fields', indexes: [] },
    { collectionGroup: 'people', fieldPath: 'city', indexes: [{ queryScope: 'COLLECTION_GROUP', order: 'ASCENDING' }] },
  ],
};
const filter = (fieldPath: string, op = 'EQUAL') => ({ fieldFilter: { field: { fieldPath }, op } });
const all = (...filters: ReturnType<typeof filter>[]) => ({ compositeFilter: { op: 'AND', filters } });
const order = (fieldPath: string, direction = 'ASCENDING') => ({ field: { fieldPath }, direction });
const missing = ({ from, ...query }: StructuredQuery, summed?: readonly string[]) =>
  missingIndex(DEPLOYED, { from: from ?? [{ collectionId: 'people' }], ...query }, summed);

it.each<[string, StructuredQuery, string[]?]>([
  ['a whole collection', {}],
  ['a collection by name', { orderBy: [order('__name__')] }],
  ['an equality', { where: filter('email') }],
  [
    'several equalities, by merging',
    { where: all(filter('email'), filter('state', 'IN'), filter('tags', 'ARRAY_CONTAINS')) },
  ],
  ['a range', { where: filter('email', 'GREATER_THAN') }],
  [
    'a range and its order, with the name',
    { where: filter('at', 'LESS_THAN'), orderBy: [order('at'), order('__name__')] },
  ],
  ['one field in either direction', { orderBy: [order('at', 'DESCENDING'), order('__name__', 'DESCENDING')] }],
  ['an equality and an order', { where: filter('state'), orderBy: [order('at')] }],
  ['an equality and a range', { where: all(filter('state'), filter('at', 'GREATER_THAN')) }],
  [
    'two equalities and an order, by merging',
    { where: all(filter('state'), filter('source')), orderBy: [order('at')] },
  ],
  ['two orders', { orderBy: [order('at'), order('email', 'DESCENDING')] }],
  [
    'an element of a list, and an order',
    { where: filter('tags', 'ARRAY_CONTAINS'), orderBy: [order('at', 'DESCENDING')] },
  ],
  ['a sum over a range', { where: filter('at', 'GREATER_THAN') }, ['seconds']],
  ['a sum over everything', {}, ['seconds']],
  [
    'a collection group that an override has',
    { from: [{ collectionId: 'people', allDescendants: true }], where: filter('city') },
  ],
])('%s can run', (_, query, summed) => {
  expect(missing(query, summed)).toBeNull();
});

it.each<[string, StructuredQuery, string, string[]?]>([
  ['an order by a field whose index is removed', { orderBy: [order('fields')] }, 'fields ASCENDING'],
  ['an equality of a part of such a field', { where: filter('fields.company') }, 'fields.company ='],
  [
    'one of several equalities without an index',
    { where: all(filter('email'), filter('fields.a')) },
    'email =, fields.a =',
  ],
  [
    'an order in the other direction',
    { where: filter('state'), orderBy: [order('at', 'DESCENDING')] },
    'state =, at DESCENDING',
  ],
  [
    'the name in the other direction',
    { orderBy: [order('at'), order('__name__', 'DESCENDING')] },
    'at ASCENDING, __name__ DESCENDING',
  ],
  ['the name alone, descending', { orderBy: [order('__name__', 'DESCENDING')] }, '__name__ DESCENDING'],
  ['two ranges', { where: all(filter('at', 'LESS_THAN'), filter('z', 'LESS_THAN')) }, 'at ASCENDING, z ASCENDING'],
  ['an equality and a sum', { where: filter('state') }, 'state =, seconds ASCENDING', ['seconds']],
  [
    'a collection group',
    { from: [{ collectionId: 'people', allDescendants: true }], where: filter('email') },
    'email =',
  ],
  ['a collection whose index is the group’s only', { where: filter('city') }, 'city ='],
])('%s needs an index', (_, query, described, summed) => {
  expect(missing(query, summed)).toContain(`: ${described}`);
});
