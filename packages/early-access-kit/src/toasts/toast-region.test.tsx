// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ToastClassNames } from './toast.ts';
import { ToastRegion, useToasts } from './toast-region.tsx';

let toasts: ReturnType<typeof useToasts>;

function Host({ classNames }: { classNames?: ToastClassNames }) {
  toasts = useToasts();
  return <ToastRegion toasts={toasts} dismissLabel="Dismiss" classNames={classNames} />;
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

it('shows several messages, and a repeated text once', () => {
  say('one');
  say('two');
  say('one');
  expect(texts()).toEqual(['two', 'one']);
});

it('removes a message after a while, or when it is dismissed', () => {
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

it('removes a message when its signal is aborted', () => {
  const out = new AbortController();
  act(() => toasts.notify({ kind: 'error', text: 'one', signal: out.signal }));
  say('two');
  act(() => out.abort());
  expect(texts()).toEqual(['two']);
});

it('does not move the focus when a message is dismissed with a pointer', async () => {
  vi.useRealTimers();
  const user = userEvent.setup();
  const before = document.body.insertBefore(document.createElement('input'), document.body.firstChild);
  say('one');
  before.focus();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(document.activeElement).toBe(document.body);
  before.remove();
});

it("gives each part the host's class after its own", () => {
  cleanup();
  const classNames = {
    region: 'my-region',
    toast: 'my-toast',
    error: 'my-error',
    text: 'my-text',
    dismiss: 'my-dismiss',
  };
  const { container } = render(<Host classNames={classNames} />);
  say('one');
  const classes = [...container.querySelectorAll('*')].map((part) => part.getAttribute('class'));
  expect(classes).toEqual([
    'eak-toasts my-region',
    'eak-toast eak-toast--error my-toast my-error',
    'eak-toast__text my-text',
    'eak-toast__dismiss my-dismiss',
  ]);
});
