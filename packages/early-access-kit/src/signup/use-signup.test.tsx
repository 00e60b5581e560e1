// @vitest-environment jsdom

import { fc } from '@early-access-kit/testkit/fast-check';
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpAdapter } from '../adapters/http.ts';
import { type MemoryScript, memoryAdapter, memoryStore } from '../adapters/memory.ts';
import type { StorageAdapter } from '../core/adapter.ts';
import { StorageError } from '../core/errors.ts';
import { englishSignupMessages } from '../core/messages.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { type UseSignupOptions, useSignup } from './use-signup.ts';

const ADDRESS = 'ada@example.org';
const logged = vi.spyOn(console, 'error');
const warned = vi.spyOn(console, 'warn');
beforeEach(() => {
  for (const spy of [logged, warned]) spy.mockReset().mockImplementation(() => {});
});
afterEach(cleanup);

interface Setup extends UseSignupOptions {
  script?: MemoryScript;
  adapter?: Partial<StorageAdapter>;
}

function setUp({ script, adapter, ...options }: Setup = {}) {
  const store = memoryStore();
  const notify = vi.fn();
  const whole = { ...memoryAdapter({ store, script }), ...adapter };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <EarlyAccessProvider adapter={whole} notify={notify}>
      {children}
    </EarlyAccessProvider>
  );
  const { result } = renderHook(() => useSignup(options), { wrapper });
  return {
    store,
    notify,
    signup: () => result.current,
    submit: (email = ADDRESS) => act(() => result.current.submit(email)),
  };
}

const throws = (error: unknown) => () => {
  throw error;
};

it('shows the server’s text if the address is the problem', async () => {
  const text = '"Wegwerf"-Adressen werden nicht akzeptiert.';
  const body = JSON.stringify({
    error: { code: 'invalid', message: 'the address is a temporary mailbox', text },
  });
  const fetched = vi.fn(async () => new Response(body, { status: 400 }));
  vi.stubGlobal('fetch', fetched);
  const { notify, submit } = setUp({ adapter: httpAdapter() });
  await submit();
  vi.unstubAllGlobals();
  expect(notify.mock.calls).toMatchObject([[{ kind: 'error', text }]]);
});

it('shows the visitor’s text of any adapter, and of another copy of the package', async () => {
  const error = Object.assign(new Error('no'), {
    name: 'StorageError',
    code: 'invalid',
    visitorText: 'Try another one.',
  });
  const { notify, submit } = setUp({
    adapter: { ...memoryAdapter(), createSignup: async () => Promise.reject(error) },
  });
  await submit();
  expect(notify.mock.calls).toMatchObject([[{ kind: 'error', text: 'Try another one.' }]]);
});

describe('the error of a failed attempt', () => {
  it('is the adapter’s original one, and is not cleared before the next attempt', async () => {
    const failure = new StorageError('rate-limited', 'slow down', { retryAfter: 9 });
    const onOutcome = vi.fn();
    const { signup, submit } = setUp({ script: { createSignup: [{ fail: failure }, {}] }, onOutcome });
    expect(signup().error).toBeUndefined();
    expect(await submit()).toBe('failed');
    expect(onOutcome.mock.calls).toEqual([['failed', failure]]);
    expect(signup().error).toBe(failure);
    act(() => signup().clearError());
    expect(signup().error).toBe(failure);
    await submit();
    expect(signup().error).toBeUndefined();
    expect(onOutcome.mock.calls.at(-1)).toEqual(['created', undefined]);
    expect(logged).not.toHaveBeenCalled();
  });

  it.each(['duplicate', 'invalid'] as const)('is undefined for the outcome "%s"', async (outcome) => {
    const onOutcome = vi.fn();
    const { signup, submit } = setUp({ script: { createSignup: { duplicate: true } }, onOutcome });
    await submit(outcome === 'invalid' ? 'ada' : ADDRESS);
    expect(onOutcome.mock.calls).toEqual([[outcome, undefined]]);
    expect(signup().error).toBeUndefined();
  });

  it.each([
    ['rejects', async () => throws(new TypeError('adapter bug'))()],
    ['throws', throws(new TypeError('adapter bug'))],
  ])('is logged once if it is not a StorageError: an adapter that %s', async (_, createSignup) => {
    const { signup, submit, notify } = setUp({ adapter: { createSignup } });
    expect(await submit()).toBe('failed');
    expect(signup().error).toBeInstanceOf(TypeError);
    expect(notify).toHaveBeenCalledOnce();
    expect(logged.mock.calls).toEqual([['early-access-kit:', signup().error]]);
  });

  it.each([
    ['invalid', [['early-access-kit: fields.company is required']]],
    ['forbidden', [['early-access-kit: fields.company is required']]],
    ['unavailable', []],
    ['rate-limited', []],
  ] as const)(
    'is logged as a warning with the store’s message if only the host can fix it: %s',
    async (code, warnings) => {
      const { submit } = setUp({
        script: { createSignup: { fail: new StorageError(code, 'fields.company is required') } },
      });
      await submit();
      expect([warned.mock.calls, logged.mock.calls]).toEqual([warnings, []]);
    },
  );

  it('is logged if the environment lacks a required feature, as jsdom before version 20 lacks `crypto`', async () => {
    vi.stubGlobal('crypto', undefined);
    const { signup, submit } = setUp();
    expect(await submit()).toBe('failed');
    vi.unstubAllGlobals();
    expect(signup().status).toBe('idle');
    expect(logged.mock.calls).toEqual([['early-access-kit:', signup().error]]);
    expect(await submit()).toBe('created');
  });

  it('is also logged for the welcome email, which does not affect the visitor', async () => {
    const bug = new TypeError('adapter bug');
    const { signup, submit } = setUp({ adapter: { sendWelcomeEmail: throws(bug) } });
    expect(await submit()).toBe('created');
    await vi.waitFor(() => expect(logged.mock.calls).toEqual([['early-access-kit:', bug]]));
    expect([signup().status, signup().error]).toEqual(['success', undefined]);
  });
});

it('is cleared if the host’s fields are invalid in a later attempt', async () => {
  const { signup } = setUp({ script: { createSignup: { fail: 'unavailable' } } });
  await act(() => signup().submit(ADDRESS));
  expect(signup().error).toBeDefined();
  expect(await act(() => signup().submit(ADDRESS, { fields: 'invalid' }))).toBe('invalid');
  expect([signup().error, signup().invalid]).toEqual([undefined, false]);
});

describe('reset', () => {
  it('makes a finished form ready for another address', async () => {
    const { signup, submit, store } = setUp();
    await submit();
    expect(await submit('grace@example.org')).toBe('ignored');
    act(() => signup().reset());
    expect(signup().status).toBe('idle');
    expect(await submit('grace@example.org')).toBe('created');
    expect([...store.signups.keys()]).toEqual([ADDRESS, 'grace@example.org']);
  });

  it('forgets the finished submission, so the same address is then a duplicate', async () => {
    const { signup, submit } = setUp();
    await submit();
    act(() => signup().reset());
    expect(await submit()).toBe('duplicate');
  });

  it('keeps the submission of a failed attempt, which may have been stored', async () => {
    const store = memoryStore();
    const inner = memoryAdapter({ store });
    const lost = vi.fn(inner.createSignup).mockImplementationOnce(async (signup) => {
      await inner.createSignup(signup);
      throw new StorageError('unavailable', 'no response');
    });
    const { signup, submit } = setUp({ adapter: { createSignup: lost } });
    expect(await submit()).toBe('failed');
    act(() => signup().reset());
    expect(signup().error).toBeUndefined();
    expect(await submit()).toBe('created');
  });

  it('removes the last error toast and the error of an invalid address', async () => {
    const { signup, submit, notify } = setUp({ script: { createSignup: { fail: 'unavailable' } } });
    await submit();
    act(() => signup().reset());
    expect(notify.mock.calls[0]?.[0].signal.aborted).toBe(true);
    await submit('ada');
    expect(signup().invalid).toBe(true);
    act(() => signup().reset());
    expect(signup().invalid).toBe(false);
  });

  it('may be called in an effect that depends on it', () => {
    const wrapper = ({ children }: { children: ReactNode }) => (
      <EarlyAccessProvider adapter={memoryAdapter()} shareSuccess>
        {children}
      </EarlyAccessProvider>
    );
    const { result } = renderHook(
      () => {
        const { reset, status } = useSignup();
        useEffect(reset, [reset]);
        return status;
      },
      { wrapper },
    );
    expect(result.current).toBe('idle');
    expect(logged).not.toHaveBeenCalled();
  });

  it('removes a shared success from every form, which until then ignores submissions', async () => {
    const wrapper = ({ children }: { children: ReactNode }) => (
      <EarlyAccessProvider adapter={memoryAdapter()} notify={() => {}} shareSuccess>
        {children}
      </EarlyAccessProvider>
    );
    const { result } = renderHook(() => [useSignup(), useSignup()] as const, { wrapper });
    const statuses = () => result.current.map(({ status }) => status);
    await act(() => result.current[0].submit(ADDRESS));
    expect(statuses()).toEqual(['success', 'success']);
    for (const form of result.current) expect(await form.submit('grace@example.org')).toBe('ignored');
    act(() => result.current[1].reset());
    expect(statuses()).toEqual(['idle', 'idle']);
    expect(await act(() => result.current[0].submit('grace@example.org'))).toBe('created');
  });

  it('does nothing while an attempt is running', async () => {
    const { signup, store } = setUp({ script: { createSignup: { delay: 'forever' } } });
    await act(async () => {
      void signup().submit(ADDRESS);
      signup().reset();
      expect(await signup().submit('grace@example.org')).toBe('ignored');
    });
    expect(signup().status).toBe('submitting');
    act(() => signup().reset());
    expect(signup().status).toBe('submitting');
    expect(store.signups.size).toBe(0);
  });
});

it('shows no toast with `toasts: false`', async () => {
  const { submit, notify, signup } = setUp({
    toasts: false,
    script: { createSignup: [{ fail: 'unavailable' }, { duplicate: true }, {}] },
  });
  expect(await submit()).toBe('failed');
  expect(await submit()).toBe('duplicate');
  expect(await submit()).toBe('created');
  expect(signup().status).toBe('success');
  expect(notify).not.toHaveBeenCalled();
});

it('sends nothing until `after` settles, and is submitting until then', async () => {
  const { signup, store } = setUp();
  let open = () => {};
  const after = new Promise<void>((resolve) => {
    open = resolve;
  });
  let outcome: Promise<unknown> | undefined;
  await act(async () => {
    outcome = signup().submit(ADDRESS, { after });
  });
  expect(signup().status).toBe('submitting');
  expect(store.signups.size).toBe(0);
  open();
  await act(async () => expect(await outcome).toBe('created'));
  expect(store.signups.size).toBe(1);
});

describe('an address that has to be confirmed', () => {
  const pending: MemoryScript = { createSignup: { pending: true } };

  it('succeeds with the server’s texts, in the language of the provider', async () => {
    const inbox = vi.fn(async () => ({ successTitle: 'Revisa tu correo', url: 'https://mail.example/' }));
    const onOutcome = vi.fn();
    const { signup, submit, notify } = setUp({ script: pending, adapter: { inbox }, onOutcome });
    expect(await submit()).toBe('pending');
    expect(signup()).toMatchObject({ status: 'success', inbox: { successTitle: 'Revisa tu correo' } });
    expect(inbox.mock.calls).toEqual([[expect.objectContaining({ email: ADDRESS }), undefined]]);
    expect(onOutcome.mock.calls).toEqual([['pending', undefined]]);
    expect(notify).toHaveBeenCalledOnce();
    act(() => signup().reset());
    expect([signup().status, signup().inbox]).toEqual(['idle', undefined]);
  });

  it.each([
    ['is missing', undefined],
    ['rejects', () => Promise.reject(new StorageError('unavailable', 'no response'))],
    ['returns none', async () => undefined],
  ])('shows a default text if `inbox` %s', async (_, inbox) => {
    const { signup, submit } = setUp({ script: pending, adapter: { inbox } });
    expect(await submit()).toBe('pending');
    expect(signup().inbox).toEqual({ successTitle: englishSignupMessages.signupSucceeded });
    expect(logged).not.toHaveBeenCalled();
  });
});

it('only leaves submitting with an outcome, and success with a reset', async () => {
  const step = fc.constantFrom('submit', 'submit nonsense', 'clearError', 'reset', 'settle');
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
      async (steps, fails) => {
        const waiting: (() => void)[] = [];
        const createSignup = vi.fn(async () => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          if (fails[createSignup.mock.calls.length - 1]) throw new StorageError('unavailable', 'as drawn');
          return 'created' as const;
        });
        const { signup } = setUp({ adapter: { createSignup } });
        for (const step of steps) {
          const before = signup();
          await act(async () => {
            if (step === 'submit') void before.submit(ADDRESS, { after: Promise.resolve() });
            else if (step === 'submit nonsense') void before.submit('ada');
            else if (step === 'settle') waiting.pop()?.();
            else before[step]();
          });
          const after = signup();
          if (before.status === 'success' && step !== 'reset') expect(after.status).toBe('success');
          if (before.status === 'submitting' && step !== 'settle') expect(after.status).toBe('submitting');
          if (after.status === 'success') expect(['submitting', 'success']).toContain(before.status);
          if (step === 'reset' && before.status !== 'submitting') {
            expect([after.status, after.invalid, after.error]).toEqual(['idle', false, undefined]);
          }
          if (after.invalid) expect(after.status).toBe('idle');
        }
        cleanup();
      },
    ),
    { numRuns: 50 },
  );
});

function OwnForm(options: UseSignupOptions) {
  const { status, formProps, honeypotProps, humanCheckProps } = useSignup({ toasts: false, ...options });
  if (status === 'success') return <p>Done</p>;
  return (
    <form {...formProps}>
      <input name="email" aria-label="Email" />
      <input {...honeypotProps} />
      <div {...humanCheckProps} />
      <button type="submit">Join</button>
    </form>
  );
}

describe('the props for a host’s own markup', () => {
  function setUpForm(options: UseSignupOptions = {}) {
    const createSignup = vi.fn(async () => 'created' as const);
    const { container } = render(
      <EarlyAccessProvider adapter={{ ...memoryAdapter(), createSignup }}>
        <OwnForm {...options} />
      </EarlyAccessProvider>,
    );
    const trap = container.querySelector<HTMLInputElement>('[name=website]');
    if (trap === null) throw new Error('no honeypot');
    return { container, createSignup, trap, user: userEvent.setup(), field: screen.getByLabelText('Email') };
  }

  it('sign up, and include a honeypot that is cleared, so that a second attempt succeeds', async () => {
    const onOutcome = vi.fn();
    const { createSignup, trap, user, field } = setUpForm({ onOutcome });
    trap.value = 'https://spam.example';
    await user.type(field, 'ada@example.org{Enter}');
    expect([onOutcome.mock.calls, createSignup.mock.calls, trap.value]).toEqual([[['failed', undefined]], [], '']);
    await user.type(field, '{Enter}');
    await screen.findByText('Done');
    expect(createSignup).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ email: ADDRESS }), '');
  });

  it('include a honeypot that people, screen readers and password managers ignore', () => {
    const { trap } = setUpForm();
    expect(Object.fromEntries([...trap.attributes].map(({ name, value }) => [name, value]))).toEqual({
      name: 'website',
      tabindex: '-1',
      autocomplete: 'off',
      'aria-hidden': 'true',
      'data-1p-ignore': 'true',
      'data-lpignore': 'true',
    });
  });

  it('wait for the minimum fill time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { createSignup, container, field } = setUpForm();
    fireEvent.change(field, { target: { value: ADDRESS } });
    fireEvent.submit(container.querySelector('form') ?? container);
    await act(() => vi.advanceTimersByTimeAsync(250));
    expect(createSignup).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(createSignup).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});
