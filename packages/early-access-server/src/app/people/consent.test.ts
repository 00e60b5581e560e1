import type { FieldDeclarations } from 'early-access-kit/core';
import { expect, it } from 'vitest';
import { readConsent } from './consent.ts';
import type { Person } from './people.ts';

const FIELDS: FieldDeclarations = {
  terms: { type: 'checkbox', label: 'I agree to the terms', consent: true },
  news: { type: 'checkbox', label: 'Send me news', consent: true },
  etsy: { type: 'checkbox', label: 'I use Etsy' },
  company: { type: 'text', label: 'Company' },
};

it.each<[string, Partial<Person>, string | null, string | null]>([
  ['nothing', {}, null, null],
  ['a page alone', { page_url: 'https://acme.example/' }, null, 'https://acme.example/'],
  [
    'what they agreed to, in its words at that time',
    { fields: { news: 'News once', terms: 'Terms of 2025', etsy: true, company: 'Acme' } },
    'Terms of 2025\nNews once',
    null,
  ],
  ['no checkbox without a text', { fields: { etsy: true, terms: true, company: 'Acme' } }, null, null],
  ['what a file says', { consent_text: 'By phone', fields: { terms: 'Terms' } }, 'By phone', null],
  [
    'the page that a file says',
    { consent_page: 'https://old.example/', page_url: 'https://acme.example/' },
    null,
    'https://old.example/',
  ],
])('reads the consent of a person: %s', (_, person, consent_text, consent_page) => {
  expect(readConsent(person as Person, FIELDS)).toEqual({ consent_text, consent_page });
});

it('takes no name of an object’s own methods for a field', () => {
  const declared: FieldDeclarations = { valueof: { type: 'checkbox', label: 'x', consent: true } };
  expect(readConsent({ fields: Object.create({ valueof: 'inherited' }) } as Person, declared).consent_text).toBeNull();
});
