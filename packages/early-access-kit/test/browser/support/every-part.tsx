import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { memoryAdapter } from '../../../src/adapters/memory.ts';
import { AdminOverlay } from '../../../src/admin/admin-overlay.tsx';
import type { Messages } from '../../../src/core/messages.ts';
import { signupFields } from '../../../src/fields.ts';
import { EarlyAccessProvider } from '../../../src/provider.tsx';
import { SignupForm } from '../../../src/signup/signup-form.tsx';

const ADMIN = 'owner@example.org';
const FIELDS = signupFields({
  shop: { type: 'url', label: 'Shop', placeholder: 'shop.example.com' },
  terms: { type: 'checkbox', label: 'I agree to be contacted', required: true, consent: true },
});

interface Words {
  messages: Messages;
  locale: string;
}

/** Returns the markup of every state of every widget, taken from real widgets that reach it through user actions. */
export async function markupOfEveryPart(words: Words): Promise<string> {
  const states = [await signupStates(words), await overlayStates(words)];
  return states.flat().join('\n');
}

async function signupStates({ messages, locale }: Words): Promise<string[]> {
  const user = userEvent.setup();
  const { container } = render(
    <EarlyAccessProvider adapter={memoryAdapter()} messages={messages} locale={locale}>
      <SignupForm botGuard={false} />
      <SignupForm botGuard={false} errors="none" disabled />
      <SignupForm botGuard={false} fields={FIELDS} />
    </EarlyAccessProvider>,
  );
  const field = () => screen.getAllByLabelText(messages.emailLabel)[0] ?? container;
  const idle = container.innerHTML;
  await user.type(field(), 'ada{Enter}');
  const invalid = container.innerHTML;
  await user.clear(field());
  await user.type(field(), 'ada@example.org{Enter}');
  await screen.findByText(messages.successTitle);
  await screen.findByText(messages.signupSucceeded);
  const success = container.innerHTML;
  cleanup();
  render(
    <EarlyAccessProvider
      adapter={memoryAdapter({ script: { createSignup: { fail: 'unavailable' } } })}
      messages={messages}
      locale={locale}
    >
      <SignupForm botGuard={false} />
    </EarlyAccessProvider>,
  );
  await user.type(field(), 'ada@example.org{Enter}');
  await screen.findAllByText(messages.signupFailed);
  const failed = document.querySelector('.eak-toasts')?.outerHTML ?? '';
  cleanup();
  return [idle, invalid, success, failed];
}

async function overlayStates({ messages, locale }: Words): Promise<string[]> {
  const user = userEvent.setup();
  localStorage.clear();
  const { container } = render(
    <EarlyAccessProvider adapter={memoryAdapter({ adminEmail: ADMIN })} messages={messages} locale={locale}>
      <AdminOverlay />
    </EarlyAccessProvider>,
  );
  await user.keyboard('{Control>}{Alt>}a{/Alt}{/Control}');
  const field = await screen.findByLabelText(messages.accessEmailLabel);
  await user.type(field, 'else@example.org{Enter}');
  await screen.findByText(messages.accessInvalid);
  const access = container.innerHTML;
  await user.clear(field);
  await user.type(field, `${ADMIN}{Enter}`);
  await screen.findByText(messages.bounceRate);
  const panel = container.innerHTML;
  await act(async () => cleanup());
  localStorage.clear();
  return [access, panel];
}
