// @vitest-environment jsdom
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm, type SignupFormProps } from './signup-form.tsx';

afterEach(() => document.body.replaceChildren());

describe('before scripts run', () => {
  const page = (form: SignupFormProps, locale?: string) => (
    <EarlyAccessProvider adapter={memoryAdapter()} locale={locale}>
      <SignupForm {...form} />
    </EarlyAccessProvider>
  );
  const renderHtml = (form: SignupFormProps, locale?: string) => {
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML = renderToString(page(form, locale));
    return { root, button: () => root.querySelector('button'), form: root.querySelector('form') };
  };

  it('never puts the address into a URL', () => {
    expect(renderHtml({}).form?.method).toBe('post');
    expect(renderHtml({ action: '/api/signup-form' }).form?.getAttribute('action')).toBe('/api/signup-form');
  });

  it('sends the source and the language of the form', () => {
    const values = (props: SignupFormProps, locale?: string) => [
      ...new FormData(renderHtml({ botGuard: false, ...props }, locale).form ?? undefined),
    ];
    expect(values({ action: '/api/signup-form', source: 'footer' }, 'es')).toEqual([
      ['email', ''],
      ['source', 'footer'],
      ['lang', 'es'],
    ]);
    expect(values({ action: '/api/signup-form' })).toEqual([['email', '']]);
    expect(values({ source: 'footer' }, 'es')).toEqual([['email', '']]);
  });

  it('enables the button if the form has an action, otherwise after hydration', async () => {
    expect(renderHtml({ action: '/api/signup-form' }).button()?.disabled).toBe(false);
    const waiting = renderHtml({});
    expect(waiting.button()?.disabled).toBe(true);
    const errors: unknown[] = [];
    const hydrated = await act(() =>
      hydrateRoot(waiting.root, page({}), { onRecoverableError: (error) => errors.push(error) }),
    );
    expect(waiting.button()?.disabled).toBe(false);
    expect(errors).toEqual([]);
    await act(() => hydrated.unmount());
  });

  it('keeps the text typed before hydration', async () => {
    const { root } = renderHtml({});
    const typed = root.querySelector('input');
    if (typed) typed.value = 'ada@example.org';
    const hydrated = await act(() => hydrateRoot(root, page({})));
    expect(root.querySelector('input')?.value).toBe('ada@example.org');
    await act(() => hydrated.unmount());
  });
});
