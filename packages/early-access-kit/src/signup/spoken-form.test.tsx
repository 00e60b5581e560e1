// @vitest-environment jsdom
import path from 'node:path';
import { documentedRows, listenTo, perform, readThrough, rowsOf } from '@early-access-kit/screen-reader';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import type { Messages } from '../core/messages.ts';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm } from './signup-form.tsx';
import { type FormPage, OUTCOMES, SIGN_UP } from './spoken-form.fixture.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/accessibility-form.mdx');

afterEach(cleanup);

function open(messages: Messages, locale: string): FormPage {
  const { container } = render(
    <EarlyAccessProvider adapter={memoryAdapter({ script: OUTCOMES })} messages={messages} locale={locale}>
      <SignupForm botGuard={false} />
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
  return [['Read the form', before], ...announced, ['Read what has replaced it', after]] as const;
}

it('announces what the documentation says, in English and Arabic', async () => {
  expect(rowsOf(await signUp(en, 'en'), await signUp(ar, 'ar'))).toEqual(documentedRows(PAGE));
});
