import { describe, expect, it } from 'vitest';
import type { FieldDeclarations } from './fields.ts';
import { checkDeclarations } from './more-declarations.ts';

const FIELDS = {
  company: {
    type: 'text',
    label: 'Company',
    required: true,
    maxLength: 10,
    placeholder: 'Acme',
    autoComplete: 'organization',
  },
  portfolio: { type: 'url', label: 'Portfolio' },
  size: { type: 'select', label: 'Team', options: ['1', { value: '2', label: 'Two or more' }], placeholder: 'Choose' },
  news: { type: 'checkbox', label: 'Send me news' },
  rules: { type: 'checkbox', label: 'I know the rules', consent: true },
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true, acceptedTexts: ['Acepto los términos'] },
} as const satisfies FieldDeclarations;

const text = (options: object) => ({ a: { type: 'text', label: 'x', ...options } });
const select = (options: readonly unknown[]) => ({ a: { type: 'select', label: 'x', options } });
const number = (options: object) => ({ a: { type: 'number', label: 'x', ...options } });
const date = (options: object) => ({ a: { type: 'date', label: 'x', ...options } });
const choices = (options: readonly unknown[]) => ({ a: { type: 'choices', label: 'x', options } });
const checkbox = (options: object) => ({ a: { type: 'checkbox', label: 'x', ...options } });
const LONGEST = 'x'.repeat(1_000);
const texts = (...lengths: number[]) =>
  Object.fromEntries(lengths.map((maxLength, place) => [`f${place}`, text({ maxLength }).a]));
const five = (field: object) => Object.fromEntries(Array.from({ length: 5 }, (_, place) => [`a${place}`, field]));
const HOSTILE_LINKS = [
  ...['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'privacy'],
  ...['', ' /x', '/a"b', 'https:///x'],
];

describe('checkDeclarations', () => {
  it('returns a valid declaration', () => {
    expect(checkDeclarations(FIELDS)).toStrictEqual(FIELDS);
  });

  it.each<[string, object]>([
    ['an address', { a: { type: 'url', label: 'x', maxLength: 9, placeholder: 'y', autoComplete: 'url' } }],
    ['all options of a long text', { a: { type: 'textarea', label: 'x', help: 'y', maxLength: 9, placeholder: 'z' } }],
    ['all options of a telephone', { a: { type: 'tel', label: 'x', required: true, placeholder: '+49' } }],
    ['all options of a number', number({ min: -0.5, max: 10, decimals: 6, placeholder: '0' })],
    ['all options of a date', date({ min: '2024-02-29', max: '2024-02-29' })],
    ['several choices', choices(['a', { value: 'b', label: 'B, or c' }])],
    ['the longest name', { [`a${'_'.repeat(39)}`]: { type: 'text', label: 'x' } }],
    ['a name with a digit', { a1: { type: 'text', label: 'x' } }],
    ['the longest label', text({ label: LONGEST })],
    ['the shortest length', text({ maxLength: 1 })],
    ['the greatest length', text({ maxLength: 1_000 })],
    ['the longest option', select([LONGEST])],
    ['300 options', select(Array.from({ length: 300 }, (_, place) => `${place}`))],
    ['20 fields', Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`f${place}`, checkbox({}).a]))],
    [
      '4,000 characters',
      { ...texts(1_000, 1_000), c: select([LONGEST]).a, d: checkbox({ label: LONGEST, consent: true }).a },
    ],
    [
      'links of a label, in any order and on any text',
      checkbox({
        label: 'I accept the terms and the privacy policy.',
        links: { 'privacy policy': '/privacy?v=2#top', terms: 'https://www.acme.example/terms' },
      }),
    ],
    ['20,000 characters of choices', select(Array.from({ length: 20 }, (_, place) => `${place}`.padEnd(1_000, 'x')))],
  ])('accepts %s', (_, declared) => {
    expect(checkDeclarations(declared)).toStrictEqual(declared);
  });

  it('leaves out default values', () => {
    const declared = { ...checkbox({ required: false, consent: false }) };
    expect(checkDeclarations(declared)).toStrictEqual({ a: { type: 'checkbox', label: 'x' } });
  });

  it.each<[RegExp, unknown]>([
    [/^fields.Company: the name must be/, { Company: { type: 'text', label: 'x' } }],
    [/^fields.a: label/, { a: { type: 'text' } }],
    [
      /^fields.a: type must be one of text, url, select, checkbox, textarea, tel, number, date, choices/,
      { a: { type: 'color', label: 'x' } },
    ],
    [/^fields.a: help must be a text/, text({ help: '' })],
    [/^fields.a: maxLength is not an option of the type number/, number({ maxLength: 3 })],
    [/^fields.a: min and max must be numbers/, number({ min: 1e-7 })],
    [/^fields.a: min must not be more than max/, number({ min: 2, max: 1 })],
    [/^fields.a: decimals must be a whole number from 1 to 6/, number({ decimals: 7 })],
    [/^fields.a: min and max must be days/, date({ min: '2026-02-30' })],
    [/^fields.a: min must not be more/, date({ min: '2026-02-02', max: '2026-02-01' })],
    ...['a,b', 'a;b', 'a|b', 'on', 'true'].map((option): [RegExp, unknown] => [
      /^fields.a: the value of an option must be without/,
      choices([option]),
    ]),
    [/^fields.a: all options together/, choices(['x'.repeat(500), 'y'.repeat(500)])],
    [/^fields.a: no value of an option may contain " \| "/, select(['a | b'])],
    [/^fields.a: maxlength is not an option/, { a: { type: 'text', label: 'x', maxlength: 5 } }],
    [/^fields.a: maxLength/, { a: { type: 'text', label: 'x', maxLength: 0 } }],
    [/^fields.a: maxLength/, { a: { type: 'text', label: 'x', maxLength: 1001 } }],
    [/^fields.a: options/, { a: { type: 'select', label: 'x', options: [] } }],
    ...HOSTILE_LINKS.map((href): [RegExp, unknown] => [
      /^fields.a: links: the URL of "x" must begin with/,
      text({ label: 'See x', links: { x: href } }),
    ]),
    [/^fields.a: links: the URL of "x"/, text({ links: { x: 1 } })],
    [/^fields.a: links: "y" must be in the label/, text({ links: { y: '/' } })],
    [/^fields.a: links: "a" must be in/, text({ label: 'a b a', links: { a: '/' } })],
    [/^fields.a: links: "" must be in the label/, text({ label: 'ab', links: { '': '/' } })],
    [/^fields.a: links must not overlap/, text({ label: 'a b c', links: { 'a b': '/', 'b c': '/' } })],
    [/^fields.a: links must not overlap/, text({ label: 'a b', links: { 'a b': '/', b: '/' } })],
    [/^fields.a: links must be an object/, text({ links: ['/'] })],
    [/^fields: must be an object with a declaration for each field$/, null],
    [/^fields.a: must be an object$/, { a: 'text' }],
    [/^fields.a: must be an object$/, { a: [] }],
    [/up to 39 lower-case letters, digits or underscores$/, { '1a': text({}).a }],
    [/the name must be/, { ['a'.repeat(41)]: text({}).a }],
    [/the name must be/, { 'a-b': text({}).a }],
    [/^fields.a: label must be a text of at most 1000 characters$/, text({ label: ' x' })],
    [/^fields.a: label/, text({ label: '' })],
    [/^fields.a: label/, text({ label: `${LONGEST}x` })],
    [/^fields.a: label/, text({ label: 'a\nb' })],
    [/^fields.a: placeholder must be a text$/, text({ placeholder: '' })],
    [/^fields.a: autoComplete must be a text$/, text({ autoComplete: true })],
    [/^fields.a: required must be true or false$/, text({ required: 'yes' })],
    [/^fields.a: type must be one of/, text({ type: 'toString' })],
    [/^fields.a: type must be one of/, text({ type: 1 })],
    [/^fields.a: maxLength is not an option of the type checkbox$/, checkbox({ maxLength: 5 })],
    [/^fields.a: placeholder is not an option of the type checkbox$/, checkbox({ placeholder: 'x' })],
    [/^fields.a: maxLength must be a whole number from 1 to 1000$/, text({ maxLength: '5' })],
    [/^fields.a: maxLength/, text({ maxLength: 1.5 })],
    [/^fields.a: consent must be true or false$/, checkbox({ consent: 'yes' })],
    [/acceptedTexts are for a consent; set consent to true$/, checkbox({ acceptedTexts: ['y'] })],
    [/acceptedTexts are for a consent/, checkbox({ consent: false, acceptedTexts: ['y'] })],
    [/^fields.a: acceptedTexts must be texts$/, checkbox({ consent: true, acceptedTexts: 'y' })],
    [/^fields.a: acceptedTexts must be texts$/, checkbox({ consent: true, acceptedTexts: ['y', 5] })],
    [/^fields.a: options must be a list of 1 to 300 choices$/, { a: { type: 'select', label: 'x', options: 'y' } }],
    [/^fields.a: options must be a list/, select(Array.from({ length: 301 }, (_, place) => `${place}`))],
    [/^fields.a: each option must be a text, or an object with value and label$/, select(['y', { value: 'z' }])],
    [/^fields.a: each option must be a text/, select([{ label: 'z' }])],
    [/^fields.a: each option must be a text/, select([null])],
    [/^fields.a: each option must have its own value$/, select(['y', { value: 'y', label: 'z' }])],
    [
      /^fields: together they allow 4001 characters, more than 4000; lower maxLength or shorten texts$/,
      { ...texts(1_000, 1_000, 1_000, 801), e: text({}).a },
    ],
    [/^fields: together they allow 4005 characters/, five({ type: 'url', label: 'x', maxLength: 801 })],
    [/^fields: together they allow 5000 characters/, five(select([LONGEST, 'y']).a)],
    [/^fields: together they allow 4001 characters/, { ...texts(1_000, 1_000, 1_000, 997), e: checkbox({}).a }],
    [
      /^fields: options and texts of consents have 20001 characters together, more than 20000$/,
      select([...Array.from({ length: 20 }, (_, place) => `${place}`.padEnd(1_000, 'x')), 'y']),
    ],
  ])('refuses with %s', (message, declared) => {
    expect(() => checkDeclarations(declared)).toThrow(message);
  });

  it('rejects more fields than the maximum', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, { type: 'checkbox', label: 'x' }]));
    expect(() => checkDeclarations(many)).toThrow(/at most 20/);
  });

  it.each([
    ...['id', 'email', 'session_id', 'source', 'referrer', 'submission_id', 'created_at', 'state', 'page_url', 'lang'],
    ...['fields', 'other_fields', 'human_token', 'constructor', 'website', 'utm_source', 'utm_content'],
    ...['confirmed_at', 'unsubscribed_at', 'bounced_at', 'invited_at', 'joined_at'],
    ...['consent_text', 'consent_page', 'mail_state', 'confirmed_by'],
  ])('rejects the reserved name %s', (name) => {
    expect(() => checkDeclarations({ [name]: { type: 'text', label: 'x' } })).toThrow(
      `fields.${name}: this name is reserved; choose another one`,
    );
  });
});
