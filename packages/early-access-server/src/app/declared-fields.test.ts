import { expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { checkedFields, shownFields } from './declared-fields.ts';

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
