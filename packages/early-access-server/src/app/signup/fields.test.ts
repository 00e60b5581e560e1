import { expect, it } from 'vitest';
import { ConfigError } from '../access/host-mistakes.ts';
import { checkedFields, shownFields, storedFields } from './fields.ts';

it('the dashboard knows the label of a field, its choices, and whether it is a consent', () => {
  const declarations = checkedFields({
    name: { type: 'text', label: 'Name' },
    role: { type: 'select', label: 'Role', options: ['artist', { value: 'shop', label: 'A shop' }] },
    news: { type: 'checkbox', label: 'News' },
    terms: { type: 'checkbox', label: 'Terms', consent: true },
  });
  const field = { choices: [], is_consent: false };
  const choices = [
    { value: 'artist', label: 'artist' },
    { value: 'shop', label: 'A shop' },
  ];
  expect(shownFields(declarations)).toEqual([
    { ...field, name: 'name', label: 'Name' },
    { ...field, name: 'role', label: 'Role', choices },
    { ...field, name: 'news', label: 'News' },
    { ...field, name: 'terms', label: 'Terms', is_consent: true },
  ]);
});

it('a declaration that contradicts itself is an error of the configuration', () => {
  expect(checkedFields()).toEqual({});
  expect(() => checkedFields({ name: { type: 'number', label: 'Name' } })).toThrow(ConfigError);
  expect(() => checkedFields({ name: { type: 'number', label: 'Name' } })).toThrow(/name/);
});

it.each([
  [
    { role: 'artist', news: true, zip: '' },
    { role: 'artist', news: true, zip: '' },
  ],
  [{ role: 'artist', news: false, age: 7, list: ['x'], nothing: null }, { role: 'artist' }],
  [{ news: false }, undefined],
  [{}, undefined],
  [null, undefined],
  [undefined, undefined],
  ['text', undefined],
])('of the stored values %j, %j are values of fields', (stored, fields) => {
  expect(storedFields(stored)).toEqual(fields);
});
