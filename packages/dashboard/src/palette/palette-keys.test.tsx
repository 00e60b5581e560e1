// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

const { standInForLayout } = await vi.hoisted(() => import('../testing/layout.fixture.ts'));

beforeEach(() => {
  standInForLayout();
  render(<DashboardStory search="page=settings" />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = async (key: object = { key: 'k', code: 'KeyK' }) => {
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(window, { ctrlKey: true, ...key });
  return screen.findByRole('combobox', { name: 'Search pages, people and actions' });
};

it.each([
  ['with Caps Lock', { key: 'K', code: 'KeyK' }],
  ['on a Cyrillic keyboard', { key: 'л', code: 'KeyK' }],
  ['on a keyboard in another order', { key: 'k', code: 'KeyV' }],
])('opens by Ctrl+K %s', async (_, key) => {
  expect(await open(key)).toBeTruthy();
});

it('leaves Enter to an input method that is composing', async () => {
  const input = await open();
  fireEvent.keyDown(input, { key: 'Enter', isComposing: true });
  expect(screen.getByRole('combobox')).toBe(input);
});

it('never opens a person found for an earlier text', async () => {
  const input = await open();
  const user = userEvent.setup();
  await user.type(input, 'amara.abebe7');
  await screen.findByRole('option', { name: 'amara.abebe7@mail.example' });
  fireEvent.change(input, { target: { value: 'grace.hopper' } });
  expect(screen.queryByRole('option')).toBeNull();
  expect(shownServer().requests.filter((name) => name === 'POST /admin/people/search')).toHaveLength(1);
});
