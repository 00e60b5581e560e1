import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { consentTexts, type FieldDeclaration, type FieldDeclarations } from './fields.ts';
import { checkDeclarations } from './more-declarations.ts';
import { checkValue, labelParts, parseFields } from './more-fields.ts';

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
  const lines: FieldDeclaration = { type: 'textarea', label: 'Story' };
  const tel: FieldDeclaration = { type: 'tel', label: 'Telephone' };
  const number: FieldDeclaration = { type: 'number', label: 'Prints' };
  const date: FieldDeclaration = { type: 'date', label: 'Opened' };
  const choices: FieldDeclaration = { type: 'choices', label: 'Likes', options: ['a', 'b', 'c'] };

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
    ['wide digits of a telephone number', tel, '＋８１　３－１２３４－５６７８', { value: '+81312345678' }],
    ['a wide number', { ...number, decimals: 1 }, '１２．５', { value: '12.5' }],
    ['an unchecked box', { type: 'checkbox', label: 'x' }, false, { value: undefined }],
    ['an empty text for a box', { type: 'checkbox', label: 'x' }, '', { value: undefined }],
    ['a box of a form without scripts', { type: 'checkbox', label: 'x' }, 'on', { value: true }],
    ['true as a text', { type: 'checkbox', label: 'x' }, 'true', { value: true }],
    ['false as a text', { type: 'checkbox', label: 'x' }, 'false', { problem: 'invalid' }],
    ['an unchecked consent', FIELDS.terms, false, { value: undefined }],
    ['the label of a consent', FIELDS.terms, 'I agree to the terms', { value: 'I agree to the terms' }],
    ['a list with a consent', FIELDS.terms, ['I agree to the terms'], { problem: 'invalid' }],
    ['a consent without other texts', { type: 'checkbox', label: 'x', consent: true }, 'y', { problem: 'invalid' }],
    ['lines of any system', { ...lines, maxLength: 5 }, ' a\r\nb\rc ', { value: 'a\nb\nc' }],
    ['a long text of the default length', lines, 'x'.repeat(1_000), { value: 'x'.repeat(1_000) }],
    ['one character more than that', lines, 'x'.repeat(1_001), { problem: 'too-long' }],
    ['a tab in a long text', lines, 'a\tb', { problem: 'invalid' }],
    ['a line break in a text', text, 'a\nb', { problem: 'invalid' }],
    ['a telephone number', tel, ' +49 (0)30 / 123-45.6 ', { value: '+4930123456' }],
    ['a telephone number with zeros first', tel, '0049 30 123456', { value: '+4930123456' }],
    ['a telephone number without its country', tel, '030 123456', { problem: 'invalid' }],
    ['the longest telephone number', tel, '+123456789012345', { value: '+123456789012345' }],
    ['a longer telephone number', tel, '+1234567890123456', { problem: 'invalid' }],
    ['letters in a telephone number', tel, '+1 800 FLOWERS', { problem: 'invalid' }],
    ['a number', number, ' 0042 ', { value: '42' }],
    ['a number of a program', number, 42, { value: '42' }],
    ['a number of a program that is none', number, Number.NaN, { problem: 'invalid' }],
    ['digits after the sign that are not allowed', number, '1.000', { problem: 'invalid' }],
    ['a number with a comma', { ...number, decimals: 2 }, '+3,50', { value: '3.5' }],
    ['what may be a thousand', { ...number, decimals: 2 }, '1.000', { problem: 'invalid' }],
    ['a negative zero', { ...number, decimals: 1 }, '-0.0', { value: '0' }],
    ['a number in another notation', number, '1e3', { problem: 'invalid' }],
    ['the least number', { ...number, min: -2, max: 3 }, '-2', { value: '-2' }],
    ['less than the least', { ...number, min: -2, max: 3 }, '-3', { problem: 'invalid' }],
    ['more than the most', { ...number, min: -2, max: 3 }, '4', { problem: 'invalid' }],
    ['a day', date, '2026-11-29', { value: '2026-11-29' }],
    ['the day of a leap year', date, '2024-02-29', { value: '2024-02-29' }],
    ['the same in another year', date, '2100-02-29', { problem: 'invalid' }],
    ['a day in another notation', date, '29.11.2026', { problem: 'invalid' }],
    ['the first day', { ...date, min: '2026-02-01' }, '2026-02-01', { value: '2026-02-01' }],
    ['a day before it', { ...date, min: '2026-02-01' }, '2026-01-31', { problem: 'invalid' }],
    ['a day after the last', { ...date, max: '2026-02-01' }, '2026-02-02', { problem: 'invalid' }],
    ['choices in another order', choices, 'c, a', { value: 'a | c' }],
    ['choices of other programs', choices, 'c;a|\na', { value: 'a | c' }],
    ['a list of choices', choices, ['c', 'b'], { value: 'b | c' }],
    ['no choices', choices, [], { value: undefined }],
    ['only commas', { ...choices, required: true }, ', ,', { problem: 'required' }],
    ['a choice that is none', choices, 'a, x', { problem: 'invalid' }],
    ['a list with something else', choices, ['a', 1], { problem: 'invalid' }],
  ])('checks %s', (_, field, given, expected) => {
    expect(checkValue(field, given)).toEqual(expected);
  });

  it('lists the texts of a consent', () => {
    expect(consentTexts(FIELDS.terms)).toEqual(['I agree to the terms', 'Acepto los términos']);
    expect(consentTexts({ type: 'checkbox', label: 'Yes', consent: true })).toEqual(['Yes']);
  });
});

it('a date is valid if the calendar has it', () => {
  const part = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'));
  const day = fc.tuple(fc.integer({ min: 1_000, max: 9_999 }), part(13), part(32)).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(day, (given) => {
      const time = Date.parse(`${given}T00:00:00Z`);
      const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(given);
      expect('value' in checkValue({ type: 'date', label: 'x' }, given)).toBe(isDay);
    }),
  );
});

describe('parseFields', () => {
  it('returns normalized values, without empty ones', () => {
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

  it('accepts a signup from a page loaded before the declaration, which sends no fields', () => {
    expect(parseFields(FIELDS, undefined)).toBeUndefined();
  });

  it('states the default maximum length if a text is too long', () => {
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
  ])('rejects %s', (_, given, message) => {
    expect(() => parseFields(FIELDS, given)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) }),
    );
  });

  it('never includes a value in its message', () => {
    expect(() => parseFields(FIELDS, { company: 'secret-company-name' })).not.toThrow(/secret/);
  });

  it('accepts its own results', () => {
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

describe('labelParts', () => {
  it('splits the label at the boundaries of links', () => {
    const links = { 'privacy policy': '/privacy', terms: 'https://acme.example/terms' };
    expect(labelParts({ label: 'I accept the terms and the privacy policy', links })).toEqual([
      { text: 'I accept the ' },
      { text: 'terms', href: 'https://acme.example/terms' },
      { text: ' and the ' },
      { text: 'privacy policy', href: '/privacy' },
    ]);
    expect(labelParts({ label: 'Company' })).toEqual([{ text: 'Company' }]);
  });

  it('returns the whole label with every link, for any valid links', () => {
    const piece = fc.string({ minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(piece, fc.array(piece, { maxLength: 4 }), fc.array(piece, { maxLength: 3 }), (start, rest, texts) => {
        const label = [start, ...rest].join('');
        const links = Object.fromEntries(texts.map((text) => [text, '/x']));
        try {
          checkDeclarations({ a: { type: 'text', label, links } });
        } catch {
          return;
        }
        const parts = labelParts({ label, links });
        expect(parts.map(({ text }) => text).join('')).toBe(label);
        expect(new Set(parts.flatMap(({ text, href }) => (href ? [text] : [])))).toEqual(new Set(Object.keys(links)));
      }),
    );
  });
});
