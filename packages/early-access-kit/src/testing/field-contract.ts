import { describe, expect, it } from 'vitest';
import {
  consentTexts,
  DEFAULT_FIELD_LENGTH,
  type FieldDeclaration,
  type FieldDeclarations,
  optionValues,
  type SignupFields,
} from '../core/fields.ts';
import { CHOICE_SEPARATOR, checkValue, fieldLength, isTextField } from '../core/more-fields.ts';
import { randomId } from '../core/random-id.ts';
import { getFailureCode, type WithFixture } from './contract.ts';
import { exampleSignup } from './examples.ts';

/** Characters with a meaning in databases, templates and pages. */
const HOSTILE = `O'Brien & "Söhne" <b>\\ %s $1 {{x}} 漢字 😀`;

/** Checks the host's own fields as the store under test declares them. */
export function fieldContract(withFixture: WithFixture, declarations: FieldDeclarations): void {
  const fields = Object.entries(declarations);
  /** A value for each field. */
  const full = fillValues(declarations, exampleValue);
  /** A value for each required field. */
  const least: SignupFields = Object.fromEntries(Object.entries(full).filter(([name]) => declarations[name]?.required));

  describe('createSignup with fields', () => {
    it.each<[string, SignupFields]>([
      ['every field', full],
      ['the longest values', fillValues(declarations, longestValue)],
      ...fields.flatMap(([name, field]) =>
        listChoices(field).map((value): [string, SignupFields] => [`a choice of ${name}`, { ...least, [name]: value }]),
      ),
    ])('stores %s as it was sent', (_, values) =>
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup({ fields: values });
        expect(await adapter.createSignup(signup)).toBe('created');
        expect((await contents()).signups).toEqual([{ ...signup, created_at: expect.any(Number) }]);
      })(),
    );

    it(
      'stores none for a page that sends none, even if some are required',
      withFixture(async ({ adapter, contents }) => {
        expect(await adapter.createSignup(exampleSignup())).toBe('created');
        expect((await contents()).signups[0]).not.toHaveProperty('fields');
      }),
    );

    it(
      'does not change the values of a record',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup({ fields: full });
        await adapter.createSignup(signup);
        const { fields: _, ...withoutFields } = signup;
        expect(await adapter.createSignup(withoutFields)).toBe('created');
        expect(await adapter.createSignup({ ...withoutFields, fields: least, submission_id: randomId() })).toBe(
          'duplicate',
        );
        expect((await contents()).signups).toEqual([{ ...signup, created_at: expect.any(Number) }]);
      }),
    );

    it.each<[string, object]>([
      ['a field that is not declared', { ...full, undeclared_field: 'x' }],
      ['a field with the name of something else', { ...full, constructor: 'x' }],
      ['a list', [full]],
      ...fields.flatMap(([name, field]) => [
        ...invalidValues(field).map((value): [string, object] => [
          `${JSON.stringify(value).slice(0, 30)} for ${name}`,
          { ...full, [name]: value },
        ]),
        ...(field.required ? [[`a signup without ${name}`, without(full, name)] satisfies [string, object]] : []),
      ]),
    ])('rejects %s and stores nothing', (_, values) =>
      withFixture(async ({ adapter, contents }) => {
        const signup = Object.assign(exampleSignup(), { fields: values });
        expect(await getFailureCode(adapter.createSignup(signup))).toBe('invalid');
        expect((await contents()).signups).toEqual([]);
      })(),
    );
  });
}

function fillValues(declarations: FieldDeclarations, choose: (field: FieldDeclaration) => string | true): SignupFields {
  return Object.fromEntries(Object.entries(declarations).map(([name, field]) => [name, choose(field)]));
}

function without(values: SignupFields, name: string): SignupFields {
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

function getMaxLength(field: FieldDeclaration): number {
  return isTextField(field) ? fieldLength(field) : DEFAULT_FIELD_LENGTH;
}

/** Values of the types with a specific format. */
const FORMED: Readonly<Partial<Record<FieldDeclaration['type'], string>>> = {
  tel: '+4930123456',
  number: '7',
  date: '2024-02-29',
};

function exampleValue(field: FieldDeclaration): string | true {
  const [choice] = listChoices(field);
  if (choice !== undefined) return choice;
  const formed = FORMED[field.type];
  if (formed !== undefined) return formed;
  const text = field.type === 'url' ? "https://x.io/O'Brien?a=1&b=%C3%BC" : HOSTILE;
  // Cut between characters, and not after a space.
  const short = [...text.slice(0, getMaxLength(field))]
    .filter((character) => !/[\ud800-\udfff]/u.test(character))
    .join('')
    .trim();
  return 'value' in checkValue(field, short) ? short : longestValue(field);
}

function longestValue(field: FieldDeclaration): string | true {
  const [choice] = listChoices(field);
  if (field.type === 'choices') return optionValues(field).join(CHOICE_SEPARATOR);
  if (choice !== undefined) return choice;
  const formed = FORMED[field.type];
  if (formed !== undefined) return formed;
  return field.type === 'url' ? 'https://x.io'.padEnd(getMaxLength(field), '/x') : '漢'.repeat(getMaxLength(field));
}

function listChoices(field: FieldDeclaration): readonly (string | true)[] {
  if ('options' in field) return optionValues(field);
  if (field.type === 'checkbox') return field.consent ? consentTexts(field) : [true];
  return [];
}

function invalidValues(field: FieldDeclaration): readonly unknown[] {
  const values: unknown[] = [null, ['x'], { x: 'y' }, 'a\u0007', 'a\ud83d', 'a\u0000b', 'x'.repeat(20_000)];
  if (field.type !== 'checkbox' || field.consent) values.push(true);
  if (field.type !== 'number') values.push(1);
  if (isTextField(field)) values.push(`${longestValue(field)}x`);
  if (FORMED[field.type] !== undefined) values.push('none of this form', '1e3');
  if (field.type === 'url') values.push('javascript:alert(1)', 'https://a b.io', 'ftp://x.io');
  if ('options' in field || field.type === 'checkbox') values.push('none of the choices');
  return values;
}
