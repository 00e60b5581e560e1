import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDeclarations } from './field-declarations.ts';
import { checkValue, type FieldDeclaration, type FieldDeclarations, parseFields } from './fields.ts';

const FIELDS = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 10 },
  portfolio: { type: 'url', label: 'Portfolio' },
  size: { type: 'select', label: 'Team', options: ['1', { value: '2', label: 'Two or more' }] },
  news: { type: 'checkbox', label: 'Send me news' },
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true, acceptedTexts: ['Acepto los términos'] },
} as const satisfies FieldDeclarations;

describe('parseFields', () => {
  it('returns the values in their normal form, without empty ones', () => {
    const given = {
      company: '  Acme ',
      portfolio: 'acme.example/work',
      size: '',
      news: true,
      terms: 'Acepto los términos',
    };
    expect(parseFields(FIELDS, given)).toEqual({
      company: 'Acme',
      portfolio: 'https://acme.example/work',
      news: true,
      terms: 'Acepto los términos',
    });
  });

  it('accepts a signup of a page from before the declaration, which sends no fields', () => {
    expect(parseFields(FIELDS, undefined)).toBeUndefined();
  });

  it('returns undefined if all are empty', () => {
    expect(parseFields({ note: { type: 'text', label: 'Note' } }, { note: ' ' })).toBeUndefined();
  });

  it.each([
    ['not an object', 'company=Acme', /: fields must be an object/],
    ['a list', ['Acme'], /: fields must be an object/],
    ['a name that is not declared', { company: 'Acme', other: 'x' }, /: fields must only contain declared/],
    ['a name that every object has', { company: 'Acme', toString: 'x' }, /: fields must only contain declared/],
    ['no value for a required field', {}, /: fields.company is required/],
    ['spaces for a required field', { company: '   ' }, /: fields.company is required/],
    ['a text that is too long', { company: 'x'.repeat(11) }, /: fields.company must have at most 10/],
    ['a number', { company: 5 }, /: fields.company must be a valid value/],
    ['a control character', { company: 'a\u0000b' }, /: fields.company must be a valid value/],
    ['a lone surrogate', { company: 'a\ud800' }, /: fields.company must be a valid value/],
    ['a script as an address', { company: 'A', portfolio: 'javascript:alert(1)' }, /: fields.portfolio/],
    ['an address with a user name', { company: 'A', portfolio: 'https://a:b@acme.example' }, /: fields.portfolio/],
    ['a value that is not an option', { company: 'A', size: '3' }, /: fields.size/],
    ['a text for a box', { company: 'A', news: 'yes' }, /: fields.news/],
    ['true for a consent', { company: 'A', terms: true }, /: fields.terms/],
    ['another text for a consent', { company: 'A', terms: 'I agree to nothing' }, /: fields.terms/],
  ])('refuses %s', (_, given, message) => {
    expect(() => parseFields(FIELDS, given)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) }),
    );
  });

  it('never has a value in its message', () => {
    expect(() => parseFields(FIELDS, { company: 'secret-company-name' })).not.toThrow(/secret/);
  });

  it('accepts what it has returned', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<FieldDeclaration>(...Object.values(FIELDS)),
        fc.anything(),
        fc.string(),
        (field, any, text) => {
          for (const given of [any, text]) {
            const checked = checkValue({ ...field, required: false }, given);
            if ('problem' in checked) continue;
            expect(checkValue({ ...field, required: false }, checked.value)).toEqual(checked);
          }
        },
      ),
    );
  });
});

describe('checkDeclarations', () => {
  it('returns a valid declaration', () => {
    expect(checkDeclarations(structuredClone(FIELDS))).toEqual(FIELDS);
  });

  it.each<[string, unknown, RegExp]>([
    ['a list', [], /^fields: must be an object/],
    ['an upper-case name', { Company: { type: 'text', label: 'x' } }, /^fields.Company: the name must be/],
    ['a reserved name', { email: { type: 'text', label: 'x' } }, /^fields.email: this name is reserved/],
    ['the honeypot', { website: { type: 'url', label: 'x' } }, /^fields.website: this name is reserved/],
    ['no label', { a: { type: 'text' } }, /^fields.a: label/],
    [
      'an unknown type',
      { a: { type: 'date', label: 'x' } },
      /^fields.a: type must be one of text, url, select, checkbox/,
    ],
    [
      'an option of another type',
      { a: { type: 'text', label: 'x', options: ['y'] } },
      /^fields.a: options is not an option/,
    ],
    ['a misspelt option', { a: { type: 'text', label: 'x', maxlength: 5 } }, /^fields.a: maxlength is not an option/],
    ['maxLength 0', { a: { type: 'text', label: 'x', maxLength: 0 } }, /^fields.a: maxLength/],
    ['maxLength 1001', { a: { type: 'text', label: 'x', maxLength: 1001 } }, /^fields.a: maxLength/],
    ['no options', { a: { type: 'select', label: 'x', options: [] } }, /^fields.a: options/],
    ['equal options', { a: { type: 'select', label: 'x', options: ['y', 'y'] } }, /^fields.a: each option must have/],
    [
      'texts without a consent',
      { a: { type: 'checkbox', label: 'x', acceptedTexts: ['y'] } },
      /^fields.a: acceptedTexts/,
    ],
    ['required as a text', { a: { type: 'text', label: 'x', required: 'yes' } }, /^fields.a: required/],
  ])('refuses %s', (_, declared, message) => {
    expect(() => checkDeclarations(declared)).toThrow(message);
  });

  it('refuses more than fits into a request', () => {
    const long = { type: 'text', label: 'x', maxLength: 1_000 };
    expect(() => checkDeclarations({ a: long, b: long, c: long, d: long, e: long })).toThrow(
      /5000 characters, more than 4000/,
    );
  });

  it('refuses more fields than anyone fills in', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, { type: 'checkbox', label: 'x' }]));
    expect(() => checkDeclarations(many)).toThrow(/at most 20/);
  });
});
