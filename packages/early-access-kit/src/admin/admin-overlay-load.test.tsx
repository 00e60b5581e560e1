// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { AdminOverlay } from './admin-overlay.tsx';
import { installDialog } from './dialog.fixture.ts';

/** The number of requests for the chunk, and whether they fail. */
const network = vi.hoisted(() => ({ loads: 0, down: false }));

vi.mock('./admin-panel.tsx', async (importOriginal) => {
  network.loads += 1;
  if (network.down) throw new TypeError('Failed to fetch dynamically imported module');
  return importOriginal();
});

installDialog();

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const press = () => fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, key: 'a', code: 'KeyA' });
const page = () => (
  <EarlyAccessProvider adapter={memoryAdapter()}>
    <AdminOverlay />
  </EarlyAccessProvider>
);
const open = () => render(page());

beforeEach(() => {
  network.loads = 0;
  network.down = false;
});

it('shows no error if its code cannot be loaded for a returning admin', async () => {
  network.down = true;
  localStorage.setItem('adminEmail', 'owner@example.org');
  const { container } = open();
  await vi.dynamicImportSettled();
  expect(network.loads).toBe(1);
  expect(container.querySelector('.eak-admin')).toBeNull();
});

it('retries at the next key press', async () => {
  network.down = true;
  open();
  press();
  await vi.dynamicImportSettled();
  expect(network.loads).toBe(1);
  expect(screen.queryByRole('dialog')).toBeNull();

  network.down = false;
  press();
  await screen.findByRole('dialog', { name: 'Admin Access' });
  expect(network.loads).toBe(2);
});

it('listens for keys as soon as the page has changed, not a frame later', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const container = document.body.appendChild(document.createElement('div'));
  const changed = new Promise((resolve) => {
    new MutationObserver(resolve).observe(container, { childList: true });
  });
  const root = createRoot(container);
  root.render(page());
  await changed;
  press();
  expect(await screen.findByRole('dialog')).toBeDefined();
  root.render(null);
  vi.unstubAllGlobals();
});
