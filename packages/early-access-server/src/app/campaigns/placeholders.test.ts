import { expect, it } from 'vitest';
import { fieldPaths, findFieldNames, findPlaceholderProblem } from './placeholders.ts';

const FIELDS = ['company', 'first_name', 'team_size'];

it.each([
  'Hello {{fields.company}}',
  'Hello {{ fields.first_name }} and {{FIELDS.COMPANY}}',
  '{{#fields.company}}at {{fields.company}}{{/fields.company}}{{^ fields.company }}there{{/fields.company}}',
  'You chose {{fields.team_size}}, stored as {{ fields.team_size.value }}{{#fields.company.value}}!{{/fields.company.value}}',
  'a { b } and } } without tags',
  '',
])('%s can be sent', (text) => {
  expect(findPlaceholderProblem(text, FIELDS)).toBeNull();
});

it.each([
  ['{{name}}', 'there is no {{name}}; did you mean {{fields.first_name}}?'],
  ['{{company}}', 'there is no {{company}}; did you mean {{fields.company}}?'],
  ['{{fields.compnay}}', 'there is no {{fields.compnay}}; did you mean {{fields.company}}?'],
  ['{{#fields.Teamsize}}', 'there is no {{#fields.Teamsize}}; did you mean {{fields.team_size}}?'],
  ['{{{fields.company}}}', 'there is no {{{fields.company}}}; did you mean {{fields.company}}?'],
  ['{{& fields.company}}', 'there is no {{& fields.company}}; did you mean {{fields.company}}?'],
  ['{{fields.company}', 'there is no {{fields.company; did you mean {{fields.company}}?'],
  ['{{fields.company\n}}', 'there is no {{fields.company; did you mean {{fields.company}}?'],
  ['{{}}', 'there is no {{}}; did you mean {{fields.company}}?'],
  ['{{fields.team_size.label}}', 'there is no {{fields.team_size.label}}; did you mean {{fields.team_size}}?'],
  ['{{! a comment }}', 'there is no {{! a comment }}; did you mean'],
  ['{{fields.constructor}}', 'there is no {{fields.constructor}}; did you mean'],
  ['{{#^ size}}', 'there is no {{#^ size}}; did you mean {{fields.team_size}}?'],
  ['{{> size }}', 'there is no {{> size }}; did you mean {{fields.team_size}}?'],
  ['{{ NAME }}', 'there is no {{ NAME }}; did you mean {{fields.first_name}}?'],
  ['{{#name}}', 'there is no {{#name}}; did you mean {{fields.first_name}}?'],
  ['{{pany#fields.}}', 'there is no {{pany#fields.}}; did you mean'],
  ['{{fields.company}} {{fields.}}', 'there is no {{fields.}}; did you mean'],
  [`{{${'x'.repeat(56)}}}`, `there is no {{${'x'.repeat(56)}}}; did you mean`],
  [`{{${'x'.repeat(100)}}}`, `there is no {{${'x'.repeat(58)}…; did you mean`],
])('%s is found, with the nearest field', (text, problem) => {
  expect(findPlaceholderProblem(`Before. ${text} After.`, FIELDS)).toContain(problem);
});

it('without declared fields, a placeholder is to be removed', () => {
  expect(findPlaceholderProblem('Hello {{name}}', [])).toBe(
    'there is no {{name}}, because no fields are declared; remove it',
  );
});

it('without declared fields, the tag of a field is to be removed as well', () => {
  expect(findPlaceholderProblem('Hello {{fields.name}}', [])).toMatch(/^there is no \{\{fields\.name\}\}, because/);
});

it('a field can be written with its label or its stored value', () => {
  expect(fieldPaths(['role', 'site'])).toEqual([
    'fields.role',
    'fields.role.value',
    'fields.site',
    'fields.site.value',
  ]);
});

it('finds the names of fields, each once', () => {
  expect(findFieldNames('{{fields.a}} {{#FIELDS.B_1}}{{/fields.b_1}} {{fields.}} {{name}}')).toEqual(['a', 'b_1']);
});
