// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MemoryAdapterOptions, memoryAdapter, memoryStore } from '../adapters/memory.ts';
import { StorageError } from '../core/errors.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';
import { exampleSignup } from '../testing/examples.ts';
import { SignupForm, type SignupFormProps } from './signup-form.tsx';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
});

interface Setup {
  form?: SignupFormProps;
  before?: MemoryAdapterOptions['before'];
  provider?: Partial<EarlyAccessProviderProps>;
}

function setUp({ form, before, provider }: Setup = {}) {
  const store = memoryStore();
  render(
    <StrictMode>
      <EarlyAccessProvider adapter={memoryAdapter({ store, before })} {...provider}>
        <SignupForm botGuard={false} {...form} />
      </EarlyAccessProvider>
    </StrictMode>,
  );
  return { store, user: userEvent.setup(), field: screen.getByLabelText<HTMLInputElement>('Email address') };
}

const button = () => screen.getByRole('button', { name: /Join/ });
const toasts = () => screen.getByRole('status').textContent;

/** Delays calls until `open` is called. */
function gate() {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, before: () => closed };
}

describe('signing up', () => {
  it('lets the browser paint its reaction to the click before it starts the request', async () => {
    const called = vi.fn(async () => {});
    const { field } = setUp({ before: called });
    fireEvent.change(field, { target: { value: 'ada@example.org' } });
    await act(async () => {
      fireEvent.click(button());
    });
    expect(button().textContent).toBe('Joining...');
    expect(called).not.toHaveBeenCalled();
    await screen.findByText("You're on the list!");
    expect(called).toHaveBeenCalled();
  });

  it('goes from idle through "Joining..." to success, with the product\'s texts', async () => {
    const held = gate();
    const { store, user, field } = setUp({ before: held.before });
    await user.type(field, ' Ada@Example.org ');
    await user.click(button());
    expect(button().textContent).toBe('Joining...');
    expect(button()).toHaveProperty('disabled', true);
    held.open();
    await screen.findByText("You're on the list!");
    screen.getByText("We'll email you when the beta is ready.");
    expect(toasts()).toContain('Thanks for signing up! Check your email for updates.');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect([...store.signups.values()]).toMatchObject([
      { email: 'ada@example.org', source: 'landing_page', session_id: null, referrer: null },
    ]);
    await waitFor(() => expect(store.welcomed).toEqual(['ada@example.org']));
  });

  it('moves the focus to the success message', async () => {
    const { user, field } = setUp();
    await user.type(field, 'ada@example.org{Enter}');
    const title = await screen.findByText("You're on the list!");
    await waitFor(() => expect(document.activeElement).toBe(title.parentElement));
    const name = "You're on the list! We'll email you when the beta is ready.";
    expect(screen.getByRole('group', { name })).toBe(title.parentElement);
  });

  it('does not take the focus if the visitor has moved it in the meantime', async () => {
    const held = gate();
    const elsewhere = document.body.appendChild(document.createElement('button'));
    const { user, field } = setUp({ before: held.before });
    await user.type(field, 'ada@example.org{Enter}');
    elsewhere.focus();
    held.open();
    await screen.findByText("You're on the list!");
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });

  it('signs up once after a double click, with Enter held down, and in between', async () => {
    const held = gate();
    const calls: string[] = [];
    const { store, user, field } = setUp({
      before: (call) => {
        calls.push(call);
        return held.before();
      },
    });
    await user.type(field, 'ada@example.org');
    const form = field.form;
    if (!form) throw new Error('the field is not in a form');
    await user.dblClick(button());
    for (let repeat = 0; repeat < 5; repeat += 1) fireEvent.submit(form);
    held.open();
    await screen.findByText("You're on the list!");
    fireEvent.submit(form);
    expect(store.signups.size).toBe(1);
    expect(calls.filter((call) => call === 'createSignup')).toHaveLength(1);
  });

  it('reports a duplicate, and is idle again with the address in the field', async () => {
    const { store, user, field } = setUp();
    store.signups.set('ada@example.org', { ...exampleSignup({ email: 'ada@example.org' }), created_at: 0 });
    await user.type(field, 'ada@example.org{Enter}');
    await waitFor(() => expect(toasts()).toContain('This email is already registered!'));
    expect(button()).toHaveProperty('disabled', false);
    expect(field.value).toBe('ada@example.org');
    expect(document.activeElement).toBe(field);
    expect(store.welcomed).toEqual([]);
  });

  it('also explains the problem beside the field, until the next keystroke', async () => {
    const adapter = memoryAdapter({ script: { createSignup: [{ duplicate: true }, { fail: 'unavailable' }] } });
    const { user, field } = setUp({ provider: { adapter } });
    const beside = () => document.getElementById(field.getAttribute('aria-describedby') ?? '');
    await user.type(field, 'ada@example.org{Enter}');
    await waitFor(() => expect(beside()?.textContent).toBe('This email is already registered!'));
    // Only the toast is announced, and the address itself is valid.
    expect([beside()?.getAttribute('aria-live'), field.ariaInvalid]).toEqual([null, 'false']);
    await user.type(field, 'x');
    expect([beside()?.textContent, beside()?.getAttribute('aria-live')]).toEqual(['', 'polite']);
    await user.type(field, '{Enter}');
    await waitFor(() => expect(beside()?.textContent).toBe('Something went wrong. Please try again.'));
  });

  it('reports a failure and succeeds with the same submission once the store is back', async () => {
    const attempts: string[] = [];
    const inner = memoryAdapter();
    const adapter = {
      ...inner,
      createSignup: async (signup: Parameters<typeof inner.createSignup>[0]) => {
        attempts.push(signup.submission_id);
        // The store acts, but its response is lost.
        const result = await inner.createSignup(signup);
        if (attempts.length === 1) throw new StorageError('unavailable', 'no response');
        return result;
      },
    };
    const { user, field } = setUp({ provider: { adapter } });
    await user.type(field, 'ada@example.org{Enter}');
    await waitFor(() => expect(toasts()).toContain('Something went wrong. Please try again.'));
    await user.click(button());
    await screen.findByText("You're on the list!");
    expect(attempts[1]).toBe(attempts[0]);
  });

  it.each(['rate-limited', 'invalid', 'forbidden', 'unavailable'] as const)(
    'shows the same text for %s',
    async (code) => {
      const { user, field } = setUp({
        before: () => {
          throw new StorageError(code, 'no');
        },
      });
      await user.type(field, 'ada@example.org{Enter}');
      await waitFor(() => expect(toasts()).toContain('Something went wrong. Please try again.'));
      expect(button().textContent).toBe('Join the beta');
    },
  );

  it('ignores a failed welcome email', async () => {
    const { user, field } = setUp({
      before: (call) => {
        if (call === 'sendWelcomeEmail') throw new StorageError('unavailable', 'no');
      },
    });
    await user.type(field, 'ada@example.org{Enter}');
    await screen.findByText("You're on the list!");
    expect(toasts()).not.toContain('Something went wrong');
  });
});

describe('an invalid address', () => {
  it('is explained beside the field until the next keystroke, and is not sent', async () => {
    const { store, user, field } = setUp();
    const explanation = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(explanation?.textContent).toBe('');
    expect(explanation?.getAttribute('aria-live')).toBe('polite');
    await user.type(field, 'ada{Enter}');
    expect(explanation?.textContent).toBe('Please enter a valid email address');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    await user.type(field, '@');
    expect(explanation?.textContent).toBe('');
    expect(field.getAttribute('aria-invalid')).toBe('false');
    expect(store.signups.size).toBe(0);
  });

  it('is marked until the next keystroke, without a message, if the form shows no errors', async () => {
    const { store, user, field } = setUp({ form: { errors: 'none' } });
    const before = document.body.textContent;
    await user.type(field, 'ada{Enter}');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.body.textContent).toBe(before);
    expect(toasts()).toBe('');
    await user.type(field, '@');
    expect(field.getAttribute('aria-invalid')).toBe('false');
    expect(store.signups.size).toBe(0);
  });
});

describe('the bot guard', () => {
  it('delays a fast autofill until the minimum time instead of rejecting it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { store, field } = setUp({ form: { botGuard: true } });
    fireEvent.change(field, { target: { value: 'ada@example.org' } });
    if (field.form) fireEvent.submit(field.form);
    expect(button().textContent).toBe('Joining...');
    await act(() => vi.advanceTimersByTimeAsync(250));
    expect(store.signups.size).toBe(0);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(store.signups.size).toBe(1);
    screen.getByText("You're on the list!");
  });

  it('rejects a filled honeypot once, and accepts the second attempt without retyping', async () => {
    const onOutcome = vi.fn();
    const { store, user, field } = setUp({ form: { botGuard: true, onOutcome } });
    const trap = field.form?.elements.namedItem('website');
    if (!(trap instanceof HTMLInputElement)) throw new Error('no trap');
    trap.value = 'https://spam.example';
    await user.type(field, 'ada@example.org{Enter}');
    expect(toasts()).toContain('Something went wrong. Please try again.');
    expect(onOutcome.mock.calls).toEqual([['failed', undefined]]);
    expect(store.signups.size).toBe(0);
    await user.click(button());
    await screen.findByText("You're on the list!");
  });
});

describe('a host can replace', () => {
  it('every text', async () => {
    const { user } = setUpMessages({ emailLabel: 'Correo', submit: 'Unirme', invalidEmail: 'Correo no válido' });
    await user.click(screen.getByRole('button', { name: 'Unirme' }));
    screen.getByText('Correo no válido');
  });

  it('the toasts', async () => {
    const notify = vi.fn();
    const { user, field } = setUp({ provider: { notify } });
    expect(screen.queryByRole('status')).toBeNull();
    await user.type(field, 'ada@example.org{Enter}');
    await screen.findByText("You're on the list!");
    expect(notify.mock.calls).toEqual([
      [{ kind: 'success', text: 'Thanks for signing up! Check your email for updates.' }],
    ]);
  });

  function setUpMessages(messages: NonNullable<EarlyAccessProviderProps['messages']>) {
    render(
      <EarlyAccessProvider adapter={memoryAdapter()} messages={messages}>
        <SignupForm botGuard={false} />
      </EarlyAccessProvider>,
    );
    return { user: userEvent.setup() };
  }
});

it('throws an error that names the fix if the provider is missing', () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<SignupForm />)).toThrow('put this widget inside <EarlyAccessProvider');
  silenced.mockRestore();
});

describe('two forms on a page', () => {
  /** Signs up with the second of two forms, each with a note. */
  async function joinAtBottom(shareSuccess: boolean) {
    const user = userEvent.setup();
    const note = <a href="/why">Why join?</a>;
    const { container } = render(
      <EarlyAccessProvider adapter={memoryAdapter()} shareSuccess={shareSuccess}>
        <SignupForm botGuard={false} slots={{ note }} />
        <SignupForm botGuard={false} slots={{ note }} />
      </EarlyAccessProvider>,
    );
    await user.type(screen.getAllByLabelText('Email address')[1] ?? container, 'ada@example.org');
    // As with a mouse in Safari, where clicked buttons do not get the focus.
    await user.click(screen.getAllByRole('button', { name: 'Join the beta' })[1] ?? container);
    await screen.findAllByText("You're on the list!");
    return {
      statuses: [...container.querySelectorAll<HTMLElement>('.eak-signup')].map(({ dataset }) => dataset.status),
      notes: screen.queryAllByRole('link', { name: 'Why join?' }).length,
      focused: [...container.querySelectorAll('.eak-signup')].map((form) => form.contains(document.activeElement)),
    };
  }

  it('share a success with `shareSuccess`: the page stops asking, and only the used form gets the focus', async () => {
    expect(await joinAtBottom(true)).toEqual({ statuses: ['success', 'success'], notes: 0, focused: [false, true] });
  });

  it('do not share a success by default', async () => {
    expect(await joinAtBottom(false)).toEqual({ statuses: ['idle', 'success'], notes: 1, focused: [false, true] });
  });
});
