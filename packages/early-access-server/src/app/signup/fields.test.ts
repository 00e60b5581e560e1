import { fc } from '@early-access-kit/testkit/fast-check';
import { declarations, EXAMPLE_DECLARATIONS, generateValues } from '@early-access-kit/testkit/fields';
import { CHOICE_SEPARATOR, checkValue } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { checkedFields, choiceLabel, FIELD_TYPES, shownFields, storedFields, valueLabel } from './fields.ts';

it('the dashboard knows the label of a field, its choices, and whether it is a consent', () => {
  const declared = checkedFields({
    name: { type: 'text', label: 'Name' },
    role: { type: 'select', label: 'Role', options: ['artist', { value: 'shop', label: 'A shop' }] },
    likes: { type: 'choices', label: 'Likes', options: ['artist', { value: 'shop', label: 'A shop' }] },
    news: { type: 'checkbox', label: 'News' },
    terms: { type: 'checkbox', label: 'Terms', consent: true },
  });
  const field = { choices: [], is_consent: false };
  const choices = [
    { value: 'artist', label: 'artist' },
    { value: 'shop', label: 'A shop' },
  ];
  expect(shownFields(declared)).toEqual([
    { ...field, type: 'text', name: 'name', label: 'Name' },
    { ...field, type: 'select', name: 'role', label: 'Role', choices },
    { ...field, type: 'choices', name: 'likes', label: 'Likes', choices },
    { ...field, type: 'checkbox', name: 'news', label: 'News' },
    { ...field, type: 'checkbox', name: 'terms', label: 'Terms', is_consent: true },
  ]);
});

it('a stored choice is shown with its label, and as it is stored if the form no longer has it', () => {
  const options = ['artist', { value: 'shop', label: 'A shop' }];
  const declared = checkedFields({
    role: { type: 'select', label: 'Role', options },
    likes: { type: 'choices', label: 'Likes', options },
    name: { type: 'text', label: 'Name' },
  });
  const label = choiceLabel(declared);
  const all = [
    label('role', 'shop'),
    label('role', 'gone'),
    label('likes', `artist${CHOICE_SEPARATOR}shop`),
    label('likes', `gone${CHOICE_SEPARATOR}shop`),
    ...[label('name', 'shop'), label('role', true), label('other', 'shop')],
  ];
  const stored = `gone${CHOICE_SEPARATOR}shop`;
  expect(all).toEqual(['A shop', 'gone', 'artist, A shop', stored, 'shop', true, 'shop']);
  expect(valueLabel({ choices: [] }, 'shop')).toBe('shop');
});

it('the dashboard knows of every type', () => {
  expect(FIELD_TYPES).toEqual(expect.arrayContaining(Object.values(EXAMPLE_DECLARATIONS).map((field) => field.type)));
});

it('a stored value is in its normal form: reading it again changes nothing', () => {
  const forms = declarations.chain((declared) => generateValues(declared).map((values) => ({ declared, values })));
  fc.assert(
    fc.property(forms, ({ declared, values }) => {
      for (const [name, field] of Object.entries(declared)) {
        const checked = checkValue(field, values[name]);
        if ('value' in checked && checked.value !== undefined)
          expect(checkValue(field, checked.value)).toEqual(checked);
      }
    }),
  );
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
