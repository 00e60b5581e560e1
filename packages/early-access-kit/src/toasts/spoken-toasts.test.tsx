// @vitest-environment jsdom
import path from 'node:path';
import { documentedRows, formatRows, listenTo, perform, type Step } from '@early-access-kit/testkit/screen-reader';
import { act, cleanup, render, screen } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Messages } from '../core/messages.ts';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { ToastRegion, type Toasts, useToasts } from './toast-region.tsx';

const PAGE = path.resolve(import.meta.dirname, '../../docs/accessibility-toasts.mdx');

afterEach(cleanup);

interface ToastPage {
  readonly user: UserEvent;
  readonly messages: Messages;
  show(text: string): void;
  /** Aborts the signal of the first message, because it is outdated. */
  abort(): void;
}

let toasts: Toasts;

function Host({ messages, lang }: { messages: Messages; lang: string }) {
  toasts = useToasts();
  return (
    <>
      <button type="button">A button of the page</button>
      <ToastRegion toasts={toasts} dismissLabel={messages.dismissToast} lang={lang} />
    </>
  );
}

function open(messages: Messages, lang: string): ToastPage {
  const outdated = new AbortController();
  render(<Host messages={messages} lang={lang} />);
  act(() => toasts.notify({ kind: 'error', text: messages.signupSucceeded, signal: outdated.signal }));
  return {
    user: userEvent.setup(),
    messages,
    show: (text) => void act(() => toasts.notify({ kind: 'error', text })),
    abort: () => void act(() => outdated.abort()),
  };
}

/** `docs/accessibility-toasts.mdx` lists these steps. */
const TOASTS: readonly Step<ToastPage>[] = [
  ['<kbd>Tab</kbd> to a button of the page', ({ user }) => user.tab()],
  ['A message is shown', async ({ show, messages }) => show(messages.signupFailed)],
  ['A second one is shown', async ({ show, messages }) => show(messages.duplicateEmail)],
  ['The first one is shown again', async ({ show, messages }) => show(messages.signupFailed)],
  ["<kbd>Tab</kbd> to a message's button: the message stays", ({ user }) => user.tab()],
  ['Press <kbd>Enter</kbd>: the focus returns to where it was', ({ user }) => user.keyboard('{Enter}')],
  [
    'An outdated message disappears',
    async ({ abort, messages }) => {
      abort();
      expect(screen.queryByText(messages.signupSucceeded)).toBeNull();
    },
  ],
];

async function notice(messages: Messages, lang: string) {
  const page = open(messages, lang);
  const ears = await listenTo(document.body);
  const announced = await perform(page, TOASTS, ears);
  await ears.stop();
  cleanup();
  return announced;
}

it('announces what the documentation says, in English and Arabic', async () => {
  expect(formatRows(await notice(en, 'en'), await notice(ar, 'ar'))).toEqual(documentedRows(PAGE));
});
