// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MemoryAdapterOptions, memoryAdapter, memoryStore } from '../adapters/memory.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';
import { SignupForm } from './signup-form.tsx';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

interface Setup {
  before?: MemoryAdapterOptions['before'];
  provider?: Partial<EarlyAccessProviderProps>;
}

function setUp({ before, provider }: Setup = {}) {
  const store = memoryStore();
  render(
    <StrictMode>
      <EarlyAccessProvider adapter={memoryAdapter({ store, before })} {...provider}>
        <SignupForm botGuard={false} />
      </EarlyAccessProvider>
    </StrictMode>,
  );
  return { store, user: userEvent.setup(), field: screen.getByLabelText<HTMLInputElement>('Email address') };
}

const button = () => screen.getByRole('button', { name: /Join/ });

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

  it('does not take the focus if the visitor has moved it meanwhile', async () => {
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

  it('says what went wrong beside the field, too, until the next keystroke', async () => {
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
});

it('has the texts of the host, and the others in English', async () => {
  const { user } = setUp({ provider: { messages: { submit: 'Unirme', invalidEmail: 'Correo no válido' } } });
  await user.click(screen.getByRole('button', { name: 'Unirme' }));
  screen.getByText('Correo no válido');
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
