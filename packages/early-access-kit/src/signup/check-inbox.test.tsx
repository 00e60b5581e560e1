// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { memoryAdapter, memoryStore } from '../adapters/memory.ts';
import { SIGNUP_KEY } from '../core/protocol.ts';
import { es } from '../messages/es.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';
import { CheckInbox, findWebmail } from './check-inbox.tsx';
import { SignupForm } from './signup-form.tsx';
import { useSignup } from './use-signup.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
});

function show(
  email: string,
  {
    store = memoryStore(),
    ...props
  }: Partial<EarlyAccessProviderProps> & { store?: ReturnType<typeof memoryStore> } = {},
) {
  render(
    <EarlyAccessProvider adapter={memoryAdapter({ store })} {...props}>
      <SignupForm botGuard={false} slots={{ success: <CheckInbox classNames={{ link: 'mine' }} /> }} />
    </EarlyAccessProvider>,
  );
  fireEvent.input(screen.getByRole('textbox'), { target: { value: email } });
  fireEvent.click(screen.getByRole('button'));
  return store;
}

it('asks to open the link in the email, with the visitor’s webmail in a new tab', async () => {
  show('Ada@Gmail.com');
  const title = await screen.findByText('Check your inbox');
  await waitFor(() => expect(title.parentElement).toBe(document.activeElement));
  const link = screen.getByRole('link', { name: 'Open your inbox' });
  expect(link).toMatchObject({ href: 'https://mail.google.com/mail/', target: '_blank', className: 'mine' });
});

it('stores the key of the signup, and nothing before there is one', async () => {
  const store = show('ada@example.org');
  expect(localStorage.getItem(SIGNUP_KEY)).toBeNull();
  await screen.findByText('Check your inbox');
  // Stored by an effect, which may run after the text is shown.
  const stored = await waitFor(
    () => localStorage.getItem(SIGNUP_KEY) ?? Promise.reject(new Error('nothing is stored')),
  );
  expect(stored).toBe(store.signups.get('ada@example.org')?.submission_id);
  expect(screen.queryByRole('link')).toBeNull();
});

it('works without storage', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  show('ada@web.de');
  expect(await screen.findByRole('link')).toHaveProperty('href', 'https://web.de/');
});

it('has the texts of the provider', async () => {
  show('ada@yahoo.es', { messages: es });
  await screen.findByText(es.checkInboxTitle);
  screen.getByRole('link', { name: es.openInbox });
});

it('goes with own markup too', async () => {
  const store = memoryStore();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <EarlyAccessProvider adapter={memoryAdapter({ store })}>{children}</EarlyAccessProvider>
  );
  const { result } = renderHook(
    () => {
      const signup = useSignup();
      return { ...signup, success: signup.status === 'success' && <CheckInbox /> };
    },
    { wrapper },
  );
  await act(() => result.current.submit('ada@example.org'));
  expect(result.current.success).toBeTruthy();
});

it.each([
  ['ada@googlemail.com', 'mail.google.com'],
  ['ada@hotmail.co.uk', 'outlook.live.com'],
  ['ada@live.nl', 'outlook.live.com'],
  ['ada@yahoo.com.br', 'mail.yahoo.com'],
  ['ada@me.com', 'www.icloud.com'],
  ['ada@pm.me', 'mail.proton.me'],
  ['ada@gmx.at', 'www.gmx.net'],
  ['ada@fastmail.fm', 'app.fastmail.com'],
  ['ada@gmail.com.evil.example', undefined],
  ['gmail.com@example.org', undefined],
  ['', undefined],
])('knows the webmail of %s', (email, host) => {
  expect(URL.parse(findWebmail(email) ?? '')?.host).toBe(host);
});
