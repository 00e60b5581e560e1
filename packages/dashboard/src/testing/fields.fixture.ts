import type { Person, ShownField } from 'early-access-server/admin-api';

const TERMS = 'I agree that Acme stores my answers until the beta is over, and that it writes to me about them.';

/** The fields of a form. `withFields` also has a value of a removed field. */
export const SHOWN_FIELDS: readonly ShownField[] = [
  { name: 'company', label: 'Company', type: 'text', choices: [], is_consent: false },
  {
    name: 'size',
    label: 'How many people work there',
    type: 'select',
    choices: [
      { value: '1', label: 'Only me' },
      { value: '2-10', label: '2 to 10' },
    ],
    is_consent: false,
  },
  { name: 'shop', label: 'Your shop', type: 'url', choices: [], is_consent: false },
  { name: 'terms', label: TERMS, type: 'checkbox', choices: [], is_consent: true },
];

/** Every third person signed up before the fields existed. One tries to break the dashboard, and one writes Arabic. */
export function withFields(person: Person, index: number): Person {
  if (index % 3 === 2) return person;
  if (index === 7) {
    const company = `"><img src=x onerror=alert(1)> {{7*7}} ${'W'.repeat(900)}`;
    return {
      ...person,
      fields: {
        company,
        size: '2-10',
        shop: `https://x.example/${'a'.repeat(180)}`,
        terms: TERMS,
        old_field: 'شركة\u202e',
      },
    };
  }
  if (index === 4) return { ...person, fields: { company: 'استوديو الطباعة الصغير', size: '1', terms: TERMS } };
  return {
    ...person,
    fields: {
      company: index % 2 === 0 ? 'Studio Nord' : 'Print & Co.',
      size: index % 2 === 0 ? '1' : '2-10',
      terms: TERMS,
    },
  };
}
