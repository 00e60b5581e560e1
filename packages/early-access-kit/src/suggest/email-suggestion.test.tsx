// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { memoryAdapter, memoryStore } from '../adapters/memory.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm } from '../signup/signup-form.tsx';
import { EmailSuggestion } from './email-suggestion.tsx';

afterEach(cleanup);

const FORM = <SignupForm botGuard={false} slots={{ note: <EmailSuggestion /> }} />;

async function setUp(content = FORM, messages = {}) {
  const store = memoryStore();
  const provide = (children: typeof content | null) => (
    <EarlyAccessProvider adapter={memoryAdapter({ store })} messages={messages}>
      {children}
    </EarlyAccessProvider>
  );
  const { container, rerender } = render(provide(content));
  const user = userEvent.setup();
  const field = screen.getByRole<HTMLInputElement>('textbox');
  await user.click(field);
  const region = () => container.querySelector('.eak-form__suggestion');
  await expect.poll(region).not.toBeNull();
  return { user, field, store, region, remove: () => rerender(provide(null)) };
}

const suggestion = () => screen.queryByRole('button', { name: /Did you mean/ });

it('renders nothing on a server and adds nothing before the field is used', async () => {
  const page = <EarlyAccessProvider adapter={memoryAdapter()}>{FORM}</EarlyAccessProvider>;
  expect(renderToString(page)).toContain('<span hidden=""></span>');
  const { container } = render(page);
  await userEvent.setup().tab();
  await expect.poll(() => container.querySelector('[aria-live=polite].eak-form__suggestion:empty')).not.toBeNull();
});

it('is announced politely, and accepted with a click, which returns the focus to the field', async () => {
  const { user, field, region } = await setUp();
  await user.keyboard('ada@gmial.com');
  expect(region()?.getAttribute('aria-live')).toBe('polite');
  expect(region()?.textContent).toBe('Did you mean gmail.com?');
  await user.click(screen.getByRole('button', { name: 'Did you mean gmail.com?' }));
  expect(field.value).toBe('ada@gmail.com');
  expect(document.activeElement).toBe(field);
  expect(region()?.textContent).toBe('');
});

it('is accepted with the down arrow, or as the next tab stop', async () => {
  const { user, field } = await setUp();
  await user.keyboard('ada@hotmial.com');
  expect(suggestion()?.getAttribute('aria-keyshortcuts')).toBe('ArrowDown');
  await user.keyboard('{ArrowDown}');
  expect(field.value).toBe('ada@hotmail.com');
  await user.clear(field);
  await user.type(field, 'ada@yaho.com');
  await user.tab();
  expect(document.activeElement).toBe(suggestion());
  await user.keyboard('{Enter}');
  expect(field.value).toBe('ada@yahoo.com');
});

it('never blocks: the form sends the typed address', async () => {
  const { user, store } = await setUp();
  await user.keyboard('ada@gmial.com{Enter}');
  await expect.poll(() => [...store.signups.keys()]).toEqual(['ada@gmial.com']);
});

it('waits for the end of a domain that may still become correct', async () => {
  const { user } = await setUp();
  await user.keyboard('ada@gmail.co');
  expect(suggestion()).toBeNull();
  await user.tab();
  expect(suggestion()).not.toBeNull();
  await user.click(screen.getByRole('textbox'));
  await user.keyboard('m');
  expect(suggestion()).toBeNull();
});

it('uses the space of the message for an invalid address, and returns it', async () => {
  const { user, field } = await setUp();
  const form = field.closest<HTMLElement>('.eak-form');
  await user.keyboard('ada@gmial.com');
  expect(form?.style.paddingBlockEnd).toBe('0px');
  await user.keyboard('{ArrowDown}');
  expect(form?.style.paddingBlockEnd).toBe('');
});

function OwnForm() {
  const [email, setEmail] = useState('');
  return (
    <form>
      <input name="email" type="email" value={email} onChange={({ target }) => setEmail(target.value)} />
      <p role="note">{email}</p>
      <EmailSuggestion />
    </form>
  );
}

it('shows the host’s text, and changes a controlled field of the host’s own form', async () => {
  const { user } = await setUp(<OwnForm />, { suggestDomain: 'Maybe {domain}' });
  await user.keyboard('ada@gmial.com');
  await user.click(screen.getByRole('button', { name: 'Maybe gmail.com' }));
  expect(screen.getByRole('note').textContent).toBe('ada@gmail.com');
});

it('ignores the field and removes its region once it is removed', async () => {
  const { user, field, region, remove } = await setUp();
  remove();
  expect(region()).toBeNull();
  document.body.append(field);
  await user.type(field, 'ada@gmial.com');
  expect(suggestion()).toBeNull();
  field.remove();
});
