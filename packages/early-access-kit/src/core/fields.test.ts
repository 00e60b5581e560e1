import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue, consentTexts, type FieldDeclaration, type FieldDeclarations, parseFields } from './fields.ts';

const FIELDS = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 10 },
  portfolio: { type: 'url', label: 'Portfolio' },
  size: { type: 'select', label: 'Team', options: ['1', { value: '2', label: 'Two or more' }] },
  news: { type: 'checkbox', label: 'Send me news' },
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true, acceptedTexts: ['Acepto los términos'] },
} as const satisfies FieldDeclarations;

describe('checkValue', () => {
  const text: FieldDeclaration = { type: 'text', label: 'Note' };
  const url: FieldDeclaration = { type: 'url', label: 'Link' };

  it.each<[string, FieldDeclaration, unknown, unknown]>([
    ['a text of the default length', text, 'x'.repeat(200), { value: 'x'.repeat(200) }],
    ['one character more', text, 'x'.repeat(201), { problem: 'too-long' }],
    ['a text of a declared length', { ...text, maxLength: 3 }, 'abc', { value: 'abc' }],
    [
      'spaces around a text, which do not count',
      { ...text, maxLength: 1_000 },
      ` ${'x'.repeat(998)} `,
      { value: 'x'.repeat(998) },
    ],
    ['more input than is looked at', { ...text, maxLength: 3 }, `abc${' '.repeat(1_998)}`, { problem: 'too-long' }],
    ['as much input as is looked at', { ...text, maxLength: 3 }, `abc${' '.repeat(1_997)}`, { value: 'abc' }],
    ['an empty text', text, '', { value: undefined }],
    ['spaces', text, '  ', { value: undefined }],
    ['nothing', { ...text, required: false }, undefined, { value: undefined }],
    ['nothing where a value is required', { ...text, required: true }, undefined, { problem: 'required' }],
    ['an option', { type: 'select', label: 'x', options: ['a'] }, ' a ', { value: 'a' }],
    ['an address with an upper-case scheme', url, 'HTTPS://Acme.example', { value: 'https://Acme.example' }],
    ['an upper-case scheme without encryption', url, 'HTTP://acme.example', { value: 'http://acme.example' }],
    ['an address without encryption', url, 'http://acme.example', { value: 'http://acme.example' }],
    ['an address without a scheme', url, 'acme.example', { value: 'https://acme.example' }],
    ['a scheme within an address', url, 'acme.example/http://x', { value: 'https://acme.example/http://x' }],
    ['another scheme', url, 'ftp://acme.example', { problem: 'invalid' }],
    ['a scheme without slashes', url, 'http:acme.example', { problem: 'invalid' }],
    ['an address with a port', url, 'https://acme.example:8080/a?b#c', { value: 'https://acme.example:8080/a?b#c' }],
    ['a port that is none', url, 'https://acme.example:808080', { problem: 'invalid' }],
    ['a port without digits', url, 'https://acme.example:', { problem: 'invalid' }],
    ['a query at once', url, 'https://acme.example?b', { value: 'https://acme.example?b' }],
    ['a space in an address', url, 'https://acme.example/a b', { problem: 'invalid' }],
    ['a quote in an address', url, 'https://acme.example/a"b', { problem: 'invalid' }],
    ['a domain without a dot', url, 'https://acme', { problem: 'invalid' }],
    ['a domain that ends in a dot', url, 'https://acme.', { problem: 'invalid' }],
    ['an address after something else', url, 'x https://acme.example', { problem: 'invalid' }],
    ['an unchecked box', { type: 'checkbox', label: 'x' }, false, { value: undefined }],
    ['an empty text for a box', { type: 'checkbox', label: 'x' }, '', { value: undefined }],
    ['a box of a form without scripts', { type: 'checkbox', label: 'x' }, 'on', { value: true }],
    ['true as a text', { type: 'checkbox', label: 'x' }, 'true', { value: true }],
    ['false as a text', { type: 'checkbox', label: 'x' }, 'false', { problem: 'invalid' }],
    ['an unchecked consent', FIELDS.terms, false, { value: undefined }],
    ['the label of a consent', FIELDS.terms, 'I agree to the terms', { value: 'I agree to the terms' }],
    ['a list with a consent', FIELDS.terms, ['I agree to the terms'], { problem: 'invalid' }],
    ['a consent without other texts', { type: 'checkbox', label: 'x', consent: true }, 'y', { problem: 'invalid' }],
  ])('decides about %s', (_, field, given, expected) => {
    expect(checkValue(field, given)).toEqual(expected);
  });

  it('knows the texts of a consent', () => {
    expect(consentTexts(FIELDS.terms)).toEqual(['I agree to the terms', 'Acepto los términos']);
    expect(consentTexts({ type: 'checkbox', label: 'Yes', consent: true })).toEqual(['Yes']);
  });
});

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

  it('says the default length of a text that is too long', () => {
    const note = { note: { type: 'text', label: 'Note' } } as const;
    expect(() => parseFields(note, { note: 'x'.repeat(201) })).toThrow('fields.note must have at most 200 characters');
    expect(() => parseFields(note, { note: 5 })).toThrow('fields.note must be a valid value of type text');
  });

  it('returns undefined if all are empty', () => {
    expect(parseFields({ note: { type: 'text', label: 'Note' } }, { note: ' ' })).toBeUndefined();
  });

  it.each([
    ['not an object', 'company=Acme', /: fields must be an object/],
    ['a list', ['Acme'], /: fields must be an object/],
    ['a name that is not declared', { company: 'Acme', other: 'x' }, /: fields must only contain declared/],
    ['a name that every object has', { company: 'Acme', toString: 'x' }, /: fields must only contain declared/],
    ['null', null, /: fields must be an object$/],
    ['no value for a required field', {}, /: fields.company is required$/],
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
