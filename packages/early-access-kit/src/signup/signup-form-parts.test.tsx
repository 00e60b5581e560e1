// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MemoryScript, memoryAdapter } from '../adapters/memory.ts';
import { es } from '../messages/es.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';
import { SignupForm, type SignupFormClassNames, type SignupFormProps } from './signup-form.tsx';

afterEach(cleanup);

interface Setup {
  script?: MemoryScript;
  provider?: Partial<EarlyAccessProviderProps>;
}

function setUp(form: SignupFormProps, { script, provider }: Setup = {}) {
  const { container } = render(
    <EarlyAccessProvider adapter={memoryAdapter({ script })} {...provider}>
      <SignupForm botGuard={false} {...form} />
    </EarlyAccessProvider>,
  );
  return {
    container,
    user: userEvent.setup(),
    field: container.querySelector('input') ?? document.createElement('input'),
  };
}

const classNames: Required<SignupFormClassNames> = {
  root: 'my-root',
  form: 'my-form',
  label: 'my-label',
  row: 'my-row',
  field: 'my-field',
  input: 'my-input',
  button: 'my-button',
  error: 'my-error',
  success: 'my-success',
  successTitle: 'my-title',
  successText: 'my-text',
};

describe('the parts', () => {
  it('each have the host’s class after their own', async () => {
    const { container, user, field } = setUp({ classNames, className: 'mine' });
    await user.type(field, 'ada@example.org{Enter}');
    await screen.findByText("You're on the list!");
    for (const name of Object.values(classNames)) {
      const part = container.querySelector(`.${name}`);
      expect(part?.className, name).toMatch(new RegExp(`^eak-[\\w- ]+ ${name}$`));
    }
    expect(container.querySelector('.my-root')?.className).toBe('eak-signup mine my-root');
  });

  it('all start with a class of the kit, which its stylesheet matches', async () => {
    const { container, user, field } = setUp({ botGuard: true });
    await user.type(field, 'ada{Enter}');
    const without = [...container.querySelectorAll('*')].filter((part) => !part.className.startsWith('eak-'));
    expect(without).toEqual([]);
  });

  it("have only the kit's classes by default", () => {
    const { container } = setUp({ classNames: { button: '' } });
    expect(container.querySelector('button')?.className).toBe('eak-form__button');
    expect(container.querySelector('.eak-signup')?.hasAttribute('lang')).toBe(false);
  });
});

describe('the slots', () => {
  it('replace the button’s content in both states', async () => {
    const { user, field } = setUp(
      { slots: { button: (submitting) => (submitting ? <em>One moment</em> : <em>Count me in</em>) } },
      { script: { createSignup: { delay: 'forever' } } },
    );
    const button = screen.getByRole('button', { name: 'Count me in' });
    expect(button.hasAttribute('data-other-text')).toBe(false);
    await user.type(field, 'ada@example.org{Enter}');
    expect(button.textContent).toBe('One moment');
  });

  it('replace the success content, which receives the focus', async () => {
    const { user, field } = setUp({ slots: { success: <a href="/share">Tell your friends</a> } });
    await user.type(field, 'ada@example.org{Enter}');
    const link = await screen.findByRole('link', { name: 'Tell your friends' });
    expect(screen.queryByText("You're on the list!")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(link.parentElement));
  });
});

describe('initial props', () => {
  it('start with the host’s default value, and sign it up', async () => {
    const { user, field } = setUp({ defaultValue: 'ada@example.org' });
    expect(field.value).toBe('ada@example.org');
    await user.click(screen.getByRole('button', { name: 'Join the beta' }));
    await screen.findByText("You're on the list!");
  });

  it('accept no input while disabled, even with an action', () => {
    const { field } = setUp({ disabled: true, action: '/api/signup-form' });
    expect(field.disabled).toBe(true);
    expect(screen.getByRole('button')).toHaveProperty('disabled', true);
  });
});

it('a language is set on the form and the toasts, and is the same on the server', () => {
  const page = (
    <EarlyAccessProvider adapter={memoryAdapter()} messages={es} locale="es">
      <SignupForm />
    </EarlyAccessProvider>
  );
  const html = renderToString(page);
  expect(html).toContain('<div class="eak-signup" lang="es" data-status="idle">');
  expect(html).toContain('Unirme a la beta');
  const { container } = render(page);
  expect(container.querySelector('.eak-toasts')?.getAttribute('lang')).toBe('es');
});

describe('an error toast', () => {
  const FAILED = 'Something went wrong. Please try again.';

  it('is removed by the next attempt, and by the success of another form on the page', async () => {
    const user = userEvent.setup();
    const { container } = render(
      <EarlyAccessProvider
        adapter={memoryAdapter({ script: { createSignup: [{ fail: 'unavailable' }, { duplicate: true }, {}] } })}
      >
        <SignupForm botGuard={false} />
        <SignupForm botGuard={false} errors="none" />
      </EarlyAccessProvider>,
    );
    const toasts = () => [...container.querySelectorAll('.eak-toast__text')].map((toast) => toast.textContent);
    const [hero = container, bottom = container] = screen.getAllByLabelText('Email address');
    await user.type(hero, 'ada@example.org{Enter}');
    await waitFor(() => expect(toasts()).toEqual([FAILED]));
    await user.type(hero, '{Enter}');
    await waitFor(() => expect(toasts()).toEqual(['This email is already registered!']));
    await user.type(bottom, 'grace@example.org{Enter}');
    await waitFor(() => expect(toasts()).toEqual(['Thanks for signing up! Check your email for updates.']));
  });

  it('is gone while the next attempt is running', async () => {
    const { user, field } = setUp({}, { script: { createSignup: [{ fail: 'unavailable' }, { delay: 'forever' }] } });
    await user.type(field, 'ada@example.org{Enter}');
    await waitFor(() => expect(screen.queryAllByText(FAILED)).toHaveLength(2));
    await user.type(field, '{Enter}');
    await waitFor(() => expect(screen.queryAllByText(FAILED)).toEqual([]));
    expect(screen.getByRole('button').textContent).toBe('Joining...');
  });

  it("is passed with an abort signal to the host's own notify", async () => {
    const shown: { text: string; signal?: AbortSignal | undefined }[] = [];
    const { user, field } = setUp(
      {},
      { script: { createSignup: [{ fail: 'unavailable' }, {}] }, provider: { notify: (toast) => shown.push(toast) } },
    );
    await user.type(field, 'ada@example.org{Enter}');
    await waitFor(() => expect(shown).toHaveLength(1));
    expect(shown[0]?.signal?.aborted).toBe(false);
    await user.type(field, '{Enter}');
    await waitFor(() => expect(shown).toHaveLength(2));
    expect(shown[0]?.signal?.aborted).toBe(true);
    expect(shown[1]).toEqual({ kind: 'success', text: 'Thanks for signing up! Check your email for updates.' });
  });
});

it('moves the focus from a button pressed with the keyboard to the field while the button is disabled', async () => {
  const { user, field } = setUp({}, { script: { createSignup: { delay: 'forever' } } });
  await user.type(field, 'ada@example.org');
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button'));
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button').textContent).toBe('Joining...');
  expect(document.activeElement).toBe(field);
});

it('a human check is prepared when the form gets the focus, and asked once for each attempt', async () => {
  const asked: (string | undefined)[] = [];
  const prepare = vi.fn();
  const sent = vi.fn(async () => 'duplicate' as const);
  const { container, user, field } = setUp(
    {
      humanCheck: {
        prepare,
        async token(element, texts) {
          expect(element.className).toBe('eak-form__check');
          asked.push(texts?.confirmHuman);
          return `token-${asked.length}`;
        },
      },
    },
    { provider: { adapter: { ...memoryAdapter(), createSignup: sent }, messages: es } },
  );
  expect(prepare).not.toHaveBeenCalled();
  await user.click(field);
  expect(prepare).toHaveBeenCalledWith(container.querySelector('.eak-form__check'));
  await user.type(field, 'ada{Enter}');
  expect(asked).toEqual([]);
  await user.type(field, '@example.org{Enter}');
  await waitFor(() => expect(sent).toHaveBeenLastCalledWith(expect.objectContaining({ human_token: 'token-1' }), ''));
  await waitFor(() => expect(container.querySelector('.eak-form__button')).toHaveProperty('disabled', false));
  await user.type(field, '{Enter}');
  await waitFor(() => expect(sent).toHaveBeenLastCalledWith(expect.objectContaining({ human_token: 'token-2' }), ''));
  expect(asked).toEqual([es.confirmHuman, es.confirmHuman]);
});
