// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryAdapter, memoryStore } from '../adapters/memory.ts';
import type { FieldDeclarations } from '../core/fields.ts';
import { checkDeclarations } from '../core/more-declarations.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm, type SignupFormProps } from '../signup/signup-form.tsx';
import fieldsOfFile from './fields.fixture.json' with { type: 'json' };
import { signupFields as signupAllFields } from './more-signup-fields.tsx';
import { signupFields } from './signup-fields.tsx';

afterEach(cleanup);

const DECLARED: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 20 },
  portfolio: { type: 'url', label: 'Portfolio' },
  team: { type: 'select', label: 'Team', options: ['alone', { value: 'more', label: 'Two or more' }] },
  news: { type: 'checkbox', label: 'Send me news' },
  terms: { type: 'checkbox', label: 'I agree to the terms', required: true, consent: true },
};
const FIELDS = signupFields(DECLARED, {
  classNames: { field: 'my-field', label: 'my-label', input: 'my-input', error: 'my-error' },
});

function setUp(form: SignupFormProps = {}) {
  const store = memoryStore();
  const view = render(
    <EarlyAccessProvider adapter={memoryAdapter({ store, fields: DECLARED })}>
      <SignupForm botGuard={false} fields={FIELDS} {...form} />
    </EarlyAccessProvider>,
  );
  const submit = () => user.click(screen.getByRole('button', { name: 'Join the beta' }));
  const user = userEvent.setup();
  return { ...view, store, user, submit, stored: () => [...store.signups.values()].map(({ fields }) => fields) };
}

const named = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);
const email = () => named(/^Email/);
const findExplanation = (input: Element) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;

it('accepts the server’s declaration file, with types', () => {
  // TypeScript only knows that `type` in the file is a string.
  const declared: FieldDeclarations = checkDeclarations(fieldsOfFile);
  expect(declared).toEqual(fieldsOfFile);
  expect(signupAllFields(declared).render).toBeTypeOf('function');
  // @ts-expect-error unknown type of field
  expect(() => signupAllFields({ company: { type: 'color', label: 'Founded' } })).toThrow(
    'fields.company: type must be',
  );
});

describe('a label with a link', () => {
  const label = 'I agree to the <privacy policy>';
  const declared: FieldDeclarations = {
    terms: { type: 'checkbox', label, links: { '<privacy policy>': '/privacy' }, consent: true, required: true },
  };
  const form = (store = memoryStore()) => (
    <EarlyAccessProvider adapter={memoryAdapter({ store, fields: declared })}>
      <SignupForm botGuard={false} fields={signupAllFields(declared)} action="/api/signup-form" />
    </EarlyAccessProvider>
  );

  it('opens in a new tab, is part of the input’s name, and is stored with the consent', async () => {
    const store = memoryStore();
    const user = userEvent.setup();
    render(form(store));
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: '<privacy policy>' });
    expect([link.getAttribute('href'), link.target, link.rel]).toEqual(['/privacy', '_blank', 'noreferrer']);
    await user.click(screen.getByRole('checkbox', { name: label }));
    await user.type(email(), 'ada@example.org{Enter}');
    await screen.findByText("You're on the list!");
    expect([...store.signups.values()].map(({ fields }) => fields)).toEqual([{ terms: label }]);
  });

  it('is also rendered before scripts run', () => {
    const html = renderToString(form());
    expect(html).toContain('href="/privacy" target="_blank" rel="noreferrer">&lt;privacy policy&gt;</a>');
    expect(html).toContain('value="I agree to the &lt;privacy policy&gt;"');
  });
});

describe('a form with fields', () => {
  it('stores the values in their normal form', async () => {
    const { user, submit, stored } = setUp();
    await user.type(email(), 'ada@example.org');
    await user.type(named(/^Company/), ' Acme ');
    await user.type(named(/^Portfolio/), 'acme.example');
    await user.selectOptions(named(/^Team/), 'Two or more');
    await user.click(named(/^Send me news/));
    await user.click(named(/^I agree/));
    await submit();
    await screen.findByText("You're on the list!");
    const terms = 'I agree to the terms';
    expect(stored()).toEqual([{ company: 'Acme', portfolio: 'https://acme.example', team: 'more', news: true, terms }]);
  });

  it('stores no empty values', async () => {
    const { user, submit, stored } = setUp();
    await user.type(email(), 'ada@example.org');
    await user.type(named(/^Company/), 'Acme');
    await user.click(named(/^I agree/));
    await submit();
    await screen.findByText("You're on the list!");
    expect(stored()).toEqual([{ company: 'Acme', terms: 'I agree to the terms' }]);
  });

  it.each(['inline', 'none'] as const)(
    'explains each invalid field beside it and focuses the first one, errors %s',
    async (errors) => {
      const { user, submit, stored } = setUp({ errors });
      await user.type(email(), 'ada@example.org');
      await user.type(named(/^Portfolio/), 'not an address');
      await submit();
      expect(stored()).toEqual([]);
      expect(document.activeElement).toBe(named(/^Company/));
      expect(findExplanation(named(/^Company/))).toBe('Please fill in this field');
      expect(findExplanation(named(/^Portfolio/))).toBe('Please enter a web address, such as https://example.com');
      expect(findExplanation(named(/^I agree/))).toBe('Please check this box to continue');
      expect(named(/^Team/).ariaInvalid).toBe('false');
    },
  );

  it('removes an explanation as soon as the field is edited', async () => {
    const { user, submit } = setUp();
    await user.type(email(), 'ada@example.org');
    await submit();
    await user.type(named(/^Company/), 'A');
    expect(named(/^Company/).ariaInvalid).toBe('false');
    expect(findExplanation(named(/^Company/))).toBe('');
    expect(named(/^I agree/).ariaInvalid).toBe('true');
  });

  it('calls onOutcome with `invalid`', async () => {
    const outcomes: string[] = [];
    const { user, submit } = setUp({ onOutcome: (outcome) => outcomes.push(outcome) });
    await user.type(email(), 'ada@example.org');
    await submit();
    expect(outcomes).toEqual(['invalid']);
  });

  it("adds the host's classes and marks optional fields", () => {
    const { container } = setUp();
    const fields = container.querySelectorAll('.eak-field');
    expect(fields).toHaveLength(5);
    for (const field of fields) {
      for (const name of ['my-label', 'my-input', 'my-error']) expect(field.querySelector(`.${name}`)).not.toBeNull();
    }
    expect(screen.getByText('Portfolio').textContent).toBe('Portfolio (optional)');
    expect(screen.getByText('Company').textContent).toBe('Company');
  });

  it('is disabled as a whole', () => {
    setUp({ disabled: true });
    for (const label of [/^Company/, /^Team/, /^I agree/]) expect(named(label).disabled).toBe(true);
  });

  it('renders inputs that a browser without scripts can send', () => {
    const html = renderToString(
      <EarlyAccessProvider adapter={memoryAdapter()}>
        <SignupForm action="/api/signup-form" fields={FIELDS} />
      </EarlyAccessProvider>,
    );
    const page = new DOMParser().parseFromString(html, 'text/html');
    const form = page.querySelector('form');
    expect([...new FormData(form ?? undefined).keys()]).toEqual([
      'email',
      'fields',
      'company',
      'portfolio',
      'team',
      'website',
    ]);
    expect(page.querySelector<HTMLInputElement>('[name=terms]')).toMatchObject({
      required: true,
      value: 'I agree to the terms',
    });
  });
});

it('rejects an invalid declaration', () => {
  expect(() => signupFields({ team: { type: 'select', label: 'Team', options: [] } })).toThrow(/^fields.team: options/);
});

it.each<[string, FieldDeclarations]>([
  ['another type', { a: { type: 'tel', label: 'Telephone' } }],
  ['a help', { a: { type: 'text', label: 'Company', help: 'As on your invoices.' } }],
  ['a link', { a: { type: 'checkbox', label: 'I agree', links: { agree: '/terms' } } }],
])('names the entry that a declaration with %s needs', (_, declared) => {
  expect(() => signupFields(declared)).toThrow(TypeError);
  expect(() => signupFields(declared)).toThrow(
    /^fields.a: .*; signupFields of early-access-kit\/more-fields has more$/,
  );
  expect(signupAllFields(declared).render).toBeTypeOf('function');
});

describe('long texts, telephone numbers, numbers, dates and multiple choices', () => {
  const declared = {
    story: { type: 'textarea', label: 'Your story', help: 'In a few lines.' },
    phone: { type: 'tel', label: 'Telephone' },
    prints: { type: 'number', label: 'Prints', max: 99 },
    opened: { type: 'date', label: 'Opened', max: '2026-12-31' },
    likes: { type: 'choices', label: 'Likes', required: true, options: ['art', { value: 'm', label: 'Music' }] },
  } as const satisfies FieldDeclarations;

  function open() {
    const store = memoryStore();
    const user = userEvent.setup();
    render(
      <EarlyAccessProvider adapter={memoryAdapter({ store, fields: declared })}>
        <SignupForm botGuard={false} fields={signupAllFields(declared)} />
      </EarlyAccessProvider>,
    );
    const submit = () => user.click(screen.getByRole('button', { name: 'Join the beta' }));
    return { user, submit, stored: () => [...store.signups.values()].map(({ fields }) => fields) };
  }

  it('are stored in their normal form', async () => {
    const { user, submit, stored } = open();
    await user.type(email(), 'ada@example.org');
    await user.type(named(/^Your story/), ' One{Enter}Two ');
    await user.type(named(/^Telephone/), '+49 (0)30 12 34 56');
    await user.type(named(/^Prints/), '042');
    await user.type(named(/^Opened/), '2026-02-28');
    await user.click(named(/^Music/));
    await user.click(named(/^art/));
    await submit();
    await screen.findByText("You're on the list!");
    expect(stored()).toEqual([
      { story: 'One\nTwo', phone: '+4930123456', prints: '42', opened: '2026-02-28', likes: 'art | m' },
    ]);
  });

  it('are explained beside the input, and the first one gets the focus', async () => {
    const { user, submit, stored } = open();
    await user.type(email(), 'ada@example.org');
    await user.type(named(/^Telephone/), '030 123456');
    await user.type(named(/^Prints/), '100');
    await submit();
    expect(document.activeElement).toBe(named(/^Telephone/));
    expect(findExplanation(named(/^Telephone/))).toMatch(/country code/);
    expect(findExplanation(named(/^Prints/))).toBe('Please check this field');
    expect(findExplanation(screen.getByRole('group', { name: 'Likes' }))).toBe('Please choose an option');
    expect(named(/^art/).getAttribute('aria-invalid')).toBe('true');
    await user.click(named(/^art/));
    expect(findExplanation(screen.getByRole('group', { name: 'Likes' }))).toBe('');
    expect(stored()).toEqual([]);
  });
});
