// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { StorageErrorCode } from '../core/errors.ts';
import { ADMIN, access, dialog, field, overlayInTests, press, setUp, unlock } from './overlay.fixture.tsx';

overlayInTests();

describe('access dialog', () => {
  it.each([
    ['Ctrl+Alt+A', (user: ReturnType<typeof setUp>['user']) => user.keyboard('{Control>}{Alt>}a{/Alt}{/Control}')],
    ['the "å" of macOS', () => fireEvent.keyDown(window, { ctrlKey: true, altKey: true, key: 'å', code: 'KeyA' })],
  ])('opens on %s with the focus in the field', async (_, pressKeys) => {
    const { user } = setUp();
    await pressKeys(user);
    await dialog('Admin Access');
    expect(document.activeElement).toBe(field());
    expect(field()).toMatchObject({ type: 'email', required: true });
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('unlocks with the right address, stores it as typed, and shows the panel and the box', async () => {
    const overlay = setUp();
    await unlock(overlay);
    expect(localStorage.getItem('adminEmail')).toBe(ADMIN);
    expect(screen.queryByRole('dialog', { name: 'Admin Access' })).toBeNull();
    expect(overlay.container.querySelector('.eak-counter')?.textContent).toBe('Unique Visitors 1,234 Email Signups 56');
  });

  it('shows "Invalid admin email" and accepts another attempt', async () => {
    const { user, respond } = setUp();
    press();
    await dialog('Admin Access');
    await user.type(field(), 'visitor@example.org');
    await user.click(access());
    expect(screen.getByRole('button', { name: 'Checking…' }).getAttribute('aria-disabled')).toBe('true');
    await respond();
    expect(screen.getByRole('alert').textContent).toBe('Invalid admin email');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
    expect(document.activeElement).toBe(field());
    expect(localStorage.getItem('adminEmail')).toBeNull();

    await user.clear(field());
    await user.type(field(), `${ADMIN}{Enter}`);
    expect(screen.getByRole('alert').textContent).toBe('');
    await respond();
    await dialog('Analytics Overview');
  });

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
