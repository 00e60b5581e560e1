// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { StorageErrorCode } from '../core/errors.ts';
import { areOwnVisitsIgnored } from '../own-visits.ts';
import { ADMIN, dialog, field, figure, NUMBERS, overlayInTests, press, setUp, unlock } from './overlay.fixture.tsx';

overlayInTests();

describe('access dialog', () => {
  it('sends any text to the store, so that every wrong address gives the same message', async () => {
    const { user, respond } = setUp();
    press();
    await dialog('Admin Access');
    await user.type(field(), 'letmein{Enter}');
    await respond();
    expect(screen.getByRole('alert').textContent).toBe('Invalid admin email');
  });

  it('requires an address', async () => {
    const { user, readSummary } = setUp();
    press();
    await dialog('Admin Access');
    const invalid = vi.fn();
    field().addEventListener('invalid', invalid);
    await user.type(field(), '   {Enter}');
    expect(invalid).toHaveBeenCalledOnce();
    expect(readSummary).not.toHaveBeenCalled();
  });

  it.each<StorageErrorCode>(['unavailable', 'rate-limited', 'invalid'])(
    'does not report an address as wrong if it could not be checked (%s)',
    async (code) => {
      const { user, respond } = setUp({ says: code });
      press();
      await dialog('Admin Access');
      await user.type(field(), `${ADMIN}{Enter}`);
      await respond();
      expect(screen.getByRole('alert').textContent).toBe(
        'The address could not be checked. Please try again in a moment.',
      );
      expect(field().getAttribute('aria-invalid')).toBe('false');
    },
  );

  it('sends one request, no matter how often it is submitted before the response', async () => {
    const { user, respond, readSummary } = setUp();
    press();
    await dialog('Admin Access');
    await user.type(field(), `${ADMIN}{Enter}{Enter}`);
    // StrictMode runs each effect twice.
    const calls = readSummary.mock.calls.length;
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('button', { name: 'Checking…' }));
    expect(readSummary).toHaveBeenCalledTimes(calls);
    await respond();
    await dialog('Analytics Overview');
  });

  it.each([
    ['Escape', (user: ReturnType<typeof setUp>['user']) => user.keyboard('{Escape}')],
    [
      'its button',
      (user: ReturnType<typeof setUp>['user']) => user.click(screen.getByRole('button', { name: 'Close' })),
    ],
  ])('closes on %s and restores the focus', async (_, close) => {
    const { user } = setUp();
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
    elsewhere.focus();
    press();
    await dialog('Admin Access');
    await close(user);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(elsewhere);
    press();
    await dialog('Admin Access');
  });

  it('ignores the response after the dialog was closed', async () => {
    const { user, respond } = setUp();
    press();
    await dialog('Admin Access');
    await user.type(field(), `${ADMIN}{Enter}{Escape}`);
    await respond();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(localStorage.getItem('adminEmail')).toBeNull();
  });
});

describe('analytics panel', () => {
  it('loads the current figures each time it opens, and shows the previous ones meanwhile', async () => {
    const overlay = setUp();
    await unlock(overlay);
    await overlay.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    overlay.store.says = { ...NUMBERS, email_signups: 57 };
    press();
    await dialog('Analytics Overview');
    expect(figure('Email Signups')).toBe('56');
    await overlay.respond();
    expect(figure('Email Signups')).toBe('57');
  });

  it('links to the dashboard of the adapter, to another one, or to none', async () => {
    const link = () => screen.queryByRole('link', { name: 'Open dashboard' })?.getAttribute('href') ?? null;
    await unlock(setUp());
    expect(link()).toBeNull();
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: 'https://api.example.org/api' }));
    expect(link()).toBe('https://api.example.org/admin');
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: '/api', props: { dashboardUrl: '/our-dashboard' } }));
    expect(link()).toBe('/our-dashboard');
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: '/api', props: { dashboardUrl: false } }));
    expect(link()).toBeNull();
  });

  it('says that own visits are not counted, and switches that off and on', async () => {
    const overlay = setUp();
    await unlock(overlay);
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Don’t count my own visits' });
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
    await overlay.user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([false, false]);
    await overlay.user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
  });
});
