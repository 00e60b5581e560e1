import type { ShownField } from 'early-access-server/admin-api';
import { expect, it } from 'vitest';
import { fieldsLine, personFields } from './person-fields.ts';

const field = (name: string, label: string, rest: Partial<ShownField> = {}): ShownField => ({
  name,
  label,
  type: 'text',
  choices: [],
  is_consent: false,
  ...rest,
});
const DECLARED = [
  field('size', 'Team', { choices: [{ value: '2-10', label: '2 to 10' }] }),
  field('company', 'Company'),
  field('beta', 'Beta'),
  field('terms', 'I agree', { is_consent: true }),
];
const person = { fields: { old_field: '<b>', terms: 'I agreed', beta: true, company: 'Acme', size: '2-10' } } as const;

it('multiple choices are shown by their labels', () => {
  const choices = [
    { value: 'art', label: 'Fine art' },
    { value: 'music', label: 'Music' },
  ];
  const declared = [field('likes', 'Likes', { type: 'choices', choices })];
  const show = (likes: string) => personFields({ fields: { likes } }, declared).map(({ value }) => value);
  expect([show('art | music'), show('music'), show('art | gone')]).toEqual([
    ['Fine art, Music'],
    ['Music'],
    ['art | gone'],
  ]);
});

it('values have the declared label and order; others come last, by name', () => {
  expect(personFields(person, DECLARED).map(({ label, value }) => [label, value])).toEqual([
    ['Team', '2 to 10'],
    ['Company', 'Acme'],
    ['Beta', 'Yes'],
    ['I agree', 'I agreed'],
    ['old_field', '<b>'],
  ]);
  expect(personFields({}, DECLARED)).toEqual([]);
  const same = [field('a', 'Name'), field('b', 'Name')];
  expect(personFields({ fields: { a: '1', b: '2' } }, same).map(({ label }) => label)).toEqual([
    'Name (a)',
    'Name (b)',
  ]);
});

it('the list shows short values of declared fields', () => {
  expect(fieldsLine(person, DECLARED)).toBe('Team: 2 to 10 · Company: Acme · Beta: Yes');
  expect(fieldsLine({ fields: { company: 'x'.repeat(1_000) } }, DECLARED)).toBe(`Company: ${'x'.repeat(120)}…`);
});
