// @vitest-environment jsdom
import path from 'node:path';
import {
  documentedRows,
  formatRows,
  listenTo,
  perform,
  readThrough,
  type Step,
} from '@early-access-kit/testkit/screen-reader';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import type { Messages } from '../core/messages.ts';
import { signupFields } from '../fields/signup-fields.tsx';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm } from './signup-form.tsx';
import { type FormPage, OUTCOMES, SIGN_UP } from './spoken-form.fixture.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/accessibility-form.mdx');

/** The steps for a form with two required fields. */
const SKIP_FIELDS: readonly Step<FormPage>[] = [
  ['With your own fields: <kbd>Tab</kbd> to the address', ({ tab }) => tab()],
  [
    'Leave them empty, press <kbd>Enter</kbd>: the focus goes to the first',
    ({ user }) => user.keyboard('ada@example.org{Enter}'),
  ],
  [
    'Fill it in, <kbd>Tab</kbd> to the next',
    async ({ user, tab }) => {
      await user.keyboard('Acme');
      await tab();
    },
  ],
];

afterEach(cleanup);

const FIELDS = signupFields({
  company: { type: 'text', label: 'Company', required: true },
  terms: { type: 'checkbox', label: 'I agree to the terms', required: true },
});

function open(messages: Messages, locale: string, fields?: typeof FIELDS): FormPage {
  const { container } = render(
    <EarlyAccessProvider adapter={memoryAdapter({ script: OUTCOMES })} messages={messages} locale={locale}>
      <SignupForm botGuard={false} fields={fields} />
    </EarlyAccessProvider>,
  );
  const user = userEvent.setup();
  return { user, messages, form: container, toasts: screen.getByRole('status'), tab: () => user.tab() };
}

async function signUp(messages: Messages, locale: string) {
  const page = open(messages, locale);
  const ears = await listenTo(document.body);
  const before = await readThrough(page.form);
  const announced = await perform(page, SIGN_UP, ears);
  const after = await readThrough(page.form);
  await ears.stop();
  cleanup();
  return [
    ['Read the form', before],
    ...announced,
    ['Read the success message', after],
    ...(await skipFields(messages, locale)),
  ] as const;
}

async function skipFields(messages: Messages, locale: string) {
  const page = open(messages, locale, FIELDS);
  const ears = await listenTo(document.body);
  const announced = await perform(page, SKIP_FIELDS, ears);
  await ears.stop();
  cleanup();
  return announced;
}

it('announces what the documentation says, in English and Arabic', async () => {
  expect(formatRows(await signUp(en, 'en'), await signUp(ar, 'ar'))).toEqual(documentedRows(PAGE));
});
