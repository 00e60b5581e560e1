import {
  checkDeclarations,
  consentTexts,
  type FieldDeclaration,
  type FieldDeclarations,
  optionValues,
} from 'early-access-kit/core';
import fc from 'fast-check';
import { anything, nasty } from './hostile.ts';

/** Fields of each type. */
export const EXAMPLE_DECLARATIONS = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  shop: { type: 'url', label: 'Shop' },
  size: { type: 'select', label: 'Size', options: ['1', { value: '2–10', label: 'two to ten' }] },
  beta: { type: 'checkbox', label: 'Beta tests' },
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true, acceptedTexts: ['Acepto los términos'] },
} as const satisfies FieldDeclarations;

/** Texts with characters that mean something in JSON, HTML, CSV, patterns and the language of Firestore's rules. */
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
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a declaration contains none
  .map((given) => given.replace(/[\u0000-\u001f\u007f\ud800-\udfff]/gu, '').trim())
  .filter((given) => given !== '');
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const common = { label: text, required: fc.boolean() };
const maxLength = fc.integer({ min: 1, max: 40 });

const declaration: fc.Arbitrary<FieldDeclaration> = fc.oneof(
  fc.record({ ...common, type: fc.constant('text'), maxLength }, { requiredKeys: ['label', 'type'] }),
  fc.record(
    { ...common, type: fc.constant('url'), maxLength: fc.integer({ min: 30, max: 200 }) },
    { requiredKeys: ['label', 'type'] },
  ),
  fc.record({ ...common, type: fc.constant('select'), options: texts }),
  fc.record({ ...common, type: fc.constant('checkbox') }),
  fc.record({ ...common, type: fc.constant('checkbox'), consent: fc.constant(true), acceptedTexts: texts }),
);

/** Names that mean something in other languages too. */
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

/** Values of a field as a page or an attacker might send them: valid ones, nearly valid ones and junk. */
function generateValue(field: FieldDeclaration): fc.Arbitrary<unknown> {
  const limit = ('maxLength' in field && field.maxLength) || 200;
  const plain = fc.oneof(
    { weight: 4, arbitrary: text.map((given) => given.slice(0, limit)) },
    fc.string({ minLength: limit - 1, maxLength: limit + 1 }),
    fc.integer({ min: limit - 1, max: limit + 1 }).map((length) => '🦊'.repeat(length).slice(0, 2 * length)),
    fc.integer({ min: limit >> 1, max: (limit >> 1) + 1 }).map((length) => '🦊'.repeat(length)),
  );
  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom(
      'a.io',
      'http://a.b',
      'HTTPS://A.io/?q=1',
      'https://a:b@c.io',
      'javascript:x.y',
      'https://a.b:8/\u00a0',
    ),
  );
  const valid: Record<FieldDeclaration['type'], fc.Arbitrary<unknown>> = {
    text: plain,
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

/** The values of a signup's form for these declarations, with and without fields that are missing or unknown. */
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
