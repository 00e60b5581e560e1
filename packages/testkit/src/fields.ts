import {
  checkDeclarations,
  consentTexts,
  type FieldDeclaration,
  type FieldDeclarations,
  optionValues,
} from 'early-access-kit/internal';
import { anyText, webUrl } from './any-text.ts';
import { fc } from './fast-check.ts';
import { anything, nasty } from './hostile.ts';

/** One field of each type in release 1.0.0. */
export const FIRST_DECLARATIONS = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  shop: { type: 'url', label: 'Shop' },
  size: { type: 'select', label: 'Size', options: ['1', { value: '2–10', label: 'two to ten' }] },
  beta: { type: 'checkbox', label: 'Beta tests' },
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true, acceptedTexts: ['Acepto los términos'] },
} as const satisfies FieldDeclarations;

/** One field of each type. */
export const EXAMPLE_DECLARATIONS = {
  ...FIRST_DECLARATIONS,
  story: { type: 'textarea', label: 'Your story', maxLength: 300 },
  phone: { type: 'tel', label: 'Telephone', help: 'We call once.' },
  prints: { type: 'number', label: 'Prints a month', min: 0, max: 1_000_000, decimals: 2 },
  opened: { type: 'date', label: 'Opened', min: '1900-01-01', max: '2099-12-31' },
  needs: { type: 'choices', label: 'Needs', options: ['labels', { value: 'returns 2.0', label: 'Returns' }, 'ads'] },
} as const satisfies FieldDeclarations;

/** Texts with special characters of JSON, HTML, CSV, patterns and Firestore's rules language. */
const text = fc
  .oneof(
    fc.constantFrom(
      'Studio',
      "it's",
      '"quoted"',
      "'); } allow write: if true; //",
      '\\',
      '\\\\x41',
      '.*',
      '(a|b)$',
      '$& $1',
      '*/ /* //',
      '{{email}}',
      '=1+1',
      '<b>&amp;',
      'Acepto los términos',
      'أوافق',
      '🦊 fox',
      'a\u00a0b\u2028c\u200b',
    ),
    anyText({ maxLength: 12 }),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a declaration contains none
  .map((given) => given.replace(/[\u0000-\u001f\u007f\ud800-\udfff]/gu, '').trim())
  .filter((given) => given !== '');
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const common = { label: text, required: fc.boolean() };
const maxLength = fc.integer({ min: 1, max: 40 });
const day = fc
  .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const number = fc.oneof(
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.integer({ min: -2_000, max: 2_000 }).map((n) => n / 100),
);
/** Two limits in order. */
const range = <T extends number | string>(limit: fc.Arbitrary<T>) =>
  fc
    .tuple(limit, limit)
    .map(([a, b]) => (a < b ? { min: a, max: b } : { min: b, max: a }))
    .chain(({ min, max }) => fc.constantFrom({}, { min }, { max }, { min, max }));
const decimals = fc.constantFrom({}, { decimals: 1 }, { decimals: 2 });
const choice = text.filter((given) => !/[,;|]|^(on|true)$/.test(given));

const declaration: fc.Arbitrary<FieldDeclaration> = fc.oneof<fc.Arbitrary<FieldDeclaration>[]>(
  fc.record({ ...common, type: fc.constant('text'), maxLength }, { requiredKeys: ['label', 'type'] }),
  fc.record(
    { ...common, type: fc.constant('url'), maxLength: fc.integer({ min: 30, max: 200 }) },
    { requiredKeys: ['label', 'type'] },
  ),
  fc.record({ ...common, type: fc.constant('textarea'), maxLength, help: text }, { requiredKeys: ['label', 'type'] }),
  fc.record({ ...common, type: fc.constant('tel') }),
  fc
    .tuple(fc.record(common), range(number), decimals)
    .map(([base, limits, more]) => ({ ...base, ...limits, ...more, type: 'number' })),
  fc.tuple(fc.record(common), range(day)).map(([base, limits]) => ({ ...base, ...limits, type: 'date' })),
  fc.record({
    ...common,
    type: fc.constant('choices'),
    options: fc.uniqueArray(choice, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ ...common, type: fc.constant('select'), options: texts }),
  fc.record({ ...common, type: fc.constant('checkbox') }),
  fc.record({ ...common, type: fc.constant('checkbox'), consent: fc.constant(true), acceptedTexts: texts }),
);

/** Includes names with a meaning in other languages. */
const name = fc.oneof(
  fc.constantFrom('company', 'size', 'keys', 'function', 'allow', 'true', 'data', 'values', 'in', 'x_1'),
  fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/),
);

/** Declarations that `checkDeclarations` accepts. */
export const declarations: fc.Arbitrary<FieldDeclarations> = fc
  .dictionary(name, declaration, { minKeys: 1, maxKeys: 3 })
  .filter((given) => {
    try {
      checkDeclarations(given);
      return true;
    } catch {
      return false;
    }
  });

/** Values of a field that a page or an attacker might send: valid, nearly valid and invalid. */
function generateValue(field: FieldDeclaration): fc.Arbitrary<unknown> {
  const limit = ('maxLength' in field && field.maxLength) || 200;
  const plain = fc.oneof(
    { weight: 4, arbitrary: text.map((given) => given.slice(0, limit)) },
    fc.string({ minLength: limit - 1, maxLength: limit + 1 }),
    fc.integer({ min: limit - 1, max: limit + 1 }).map((length) => '🦊'.repeat(length).slice(0, 2 * length)),
    fc.integer({ min: limit >> 1, max: (limit >> 1) + 1 }).map((length) => '🦊'.repeat(length)),
  );
  const address = fc.oneof(
    webUrl,
    fc.constantFrom(
      'a.io',
      'http://a.b',
      'HTTPS://A.io/?q=1',
      'https://a:b@c.io',
      'javascript:x.y',
      'https://a.b:8/\u00a0',
    ),
  );
  const options = 'options' in field ? optionValues(field) : [''];
  const valid: Record<FieldDeclaration['type'], fc.Arbitrary<unknown>> = {
    text: plain,
    textarea: fc.oneof(
      plain,
      fc.array(text, { maxLength: 4 }).map((lines) => lines.join('\r\n').slice(0, limit)),
    ),
    tel: fc.oneof(
      fc.stringMatching(/^\+[1-9][0-9]{5,16}$/),
      fc.constantFrom('+49 (0)30 123-456', '0049 30/123456', '030 123456', '+1.555.010.0123', '+0123456789'),
    ),
    number: fc.oneof(
      number.map(String),
      number,
      fc.stringMatching(/^[+-]?[0-9]{1,17}([.,][0-9]{1,8})?$/),
      fc.constantFrom('-0', '1e3', '0x1'),
    ),
    date: fc.oneof(
      day,
      fc.constantFrom('2024-02-29', '2023-02-29', '2000-02-29', '1900-02-29', '2026-04-31', '2026-1-1', '31.01.2026'),
    ),
    choices: fc.oneof(
      fc.subarray([...options]).map((chosen) => chosen.join(' | ')),
      fc.subarray([...options]),
      fc.shuffledSubarray([...options]).map((chosen) => chosen.join(', ')),
    ),
    url: address,
    select: field.type === 'select' ? fc.constantFrom(...optionValues(field)) : plain,
    checkbox: field.type === 'checkbox' && field.consent ? fc.constantFrom(...consentTexts(field)) : fc.constant(true),
  };
  return fc.oneof(
    { weight: 20, arbitrary: valid[field.type] },
    { weight: 1, arbitrary: plain },
    { weight: 1, arbitrary: fc.constantFrom<unknown>('', ' ', true, false, 'on', 'true', 1, null, field.label) },
    { weight: 1, arbitrary: fc.oneof(nasty, anything) },
  );
}

/** Values of a signup's form for these declarations, with and without missing and unknown fields. */
export function generateValues(given: FieldDeclarations): fc.Arbitrary<Record<string, unknown>> {
  const known = fc.record(
    Object.fromEntries(Object.entries(given).map(([key, field]) => [key, generateValue(field)])),
    {
      requiredKeys: [],
    },
  );
  const unknown = fc.dictionary(fc.oneof(name, nasty), anything, { minKeys: 1, maxKeys: 1 });
  return fc.oneof(
    { weight: 9, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, unknown).map(([one, other]) => ({ ...one, ...other })) },
  );
}
