// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ToastRegion, useToasts } from './toast-region.tsx';

let toasts: ReturnType<typeof useToasts>;

function Host() {
  toasts = useToasts();
  return <ToastRegion toasts={toasts} dismissLabel="Dismiss" />;
}

const say = (text: string) => act(() => toasts.notify({ kind: 'error', text }));
const texts = () =>
  screen.getAllByRole('button', { name: 'Dismiss' }).map(({ parentElement }) => parentElement?.textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(<Host />);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('has its live region in the page before any message', () => {
  expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite');
  expect(screen.getByRole('status').textContent).toBe('');
});

it('shows several, and a repeated text once', () => {
  say('one');
  say('two');
  say('one');
  expect(texts()).toEqual(['two', 'one']);
});

it('lets a message go after a while, or when it is dismissed', () => {
  say('one');
  say('two');
  fireEvent.click(screen.getAllByRole('button')[0] ?? document.body);
  expect(texts()).toEqual(['two']);
  act(() => vi.advanceTimersByTime(8_000));
  expect(screen.queryByText('two')).toBeNull();
});

it('keeps a message while the pointer or the focus is on it', () => {
  say('one');
  act(() => screen.getByRole('button').focus());
  act(() => vi.advanceTimersByTime(60_000));
  screen.getByText('one');
  act(() => screen.getByRole('button').blur());
  act(() => vi.advanceTimersByTime(8_000));
  expect(screen.queryByText('one')).toBeNull();
});
