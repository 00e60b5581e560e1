// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { ADMIN, box, dialog, figure, overlayInTests, press, setUp, unlock } from './overlay.fixture.tsx';

overlayInTests();

describe('for visitors', () => {
  it('renders nothing, requests nothing, and adds nothing to server-rendered markup', async () => {
    const { page, readSummary, container } = setUp();
    expect(renderToString(page)).not.toMatch(/eak-(admin|counter|dialog)|<template|<!--/);
    fireEvent.keyDown(document.body, { key: 'a', code: 'KeyA' });
    fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, key: 'ą', code: 'KeyA', modifierAltGraph: true });
    fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, key: 'a', code: 'KeyA', isComposing: true });
    await import('./admin-panel.tsx');
    expect(container.querySelector('.eak-admin')).toBeNull();
    expect(readSummary).not.toHaveBeenCalled();
  });

  it('stops listening when it is unmounted', async () => {
    const { unmount } = setUp();
    unmount();
    const event = new KeyboardEvent('keydown', { ctrlKey: true, altKey: true, code: 'KeyA', cancelable: true });
    expect(window.dispatchEvent(event)).toBe(true);
  });
});

it('the counter box disappears silently if the stored address is rejected', async () => {
  localStorage.setItem('adminEmail', 'visitor@example.org');
  const { respond, container } = setUp();
  await box();
  await respond();
  expect(container.querySelector('.eak-counter')).toBeNull();
  expect(localStorage.getItem('adminEmail')).toBeNull();
});

describe('two tabs', () => {
  const inOtherTab = (init: StorageEventInit) =>
    act(() => void window.dispatchEvent(new StorageEvent('storage', init)));

  it.each<[string, StorageEventInit]>([
    ['logs out', { key: 'adminEmail', oldValue: ADMIN, newValue: null }],
    ['clears the storage', { key: null, newValue: null }],
  ])('locks when another tab %s', async (_, event) => {
    const overlay = setUp();
    await unlock(overlay);
    inOtherTab({ key: 'visitor_data', newValue: null });
    expect(screen.queryByRole('dialog')).not.toBeNull();
    inOtherTab(event);
    expect(overlay.container.querySelector('.eak-counter, dialog')).toBeNull();
  });

  it('unlocks when another tab does', async () => {
    const { user, respond } = setUp();
    press();
    await dialog('Admin Access');
    await user.keyboard('{Escape}');
    inOtherTab({ key: 'adminEmail', newValue: ADMIN });
    const region = await box();
    await respond();
    expect(region.textContent).toBe('Unique Visitors 1,234 Email Signups 56');
  });
});

it('unlocks until the page closes if the storage is blocked', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  }
  const overlay = setUp();
  await unlock(overlay);
  expect(figure('Unique Visitors')).toBe('1,234');
  await overlay.user.click(screen.getByRole('button', { name: 'Admin Logout' }));
  expect(overlay.container.querySelector('.eak-counter, dialog')).toBeNull();
});
