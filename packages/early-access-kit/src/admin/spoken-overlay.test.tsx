// @vitest-environment jsdom
import path from 'node:path';
import {
  documentedRows,
  formatRows,
  listenTo,
  perform,
  readThrough,
  type Step,
} from '@early-access-kit/testkit/screen-reader';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { StorageError } from '../core/errors.ts';
import type { Messages } from '../core/messages.ts';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { AdminOverlay } from './admin-overlay.tsx';
import { ADMIN, NUMBERS, overlayInTests } from './overlay.fixture.tsx';

const PAGE = path.resolve(import.meta.dirname, '../../docs/accessibility-overlay.mdx');

overlayInTests();

type ServerState = 'up' | 'unreachable' | 'slow';

interface OverlayPage {
  readonly user: UserEvent;
  readonly messages: Messages;
  /** Presses Tab until this control has the focus. */
  tabTo(name: string): Promise<void>;
  /** Sets the server's response to waiting and later calls. */
  setServer(state: ServerState): void;
}

function open(messages: Messages, locale: string): OverlayPage {
  let server: ServerState = 'up';
  let resume = () => {};
  const adapter = {
    ...memoryAdapter(),
    endpoint: '/api',
    async readSummary(email: string) {
      if (server === 'slow')
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      if (server === 'unreachable') throw new StorageError('unavailable', 'no response');
      if (email !== ADMIN) throw new StorageError('forbidden', 'not the admin');
      return NUMBERS;
    },
  };
  render(
    <EarlyAccessProvider adapter={adapter} messages={messages} locale={locale}>
      <button type="button">A button of the page</button>
      <AdminOverlay />
    </EarlyAccessProvider>,
  );
  const user = userEvent.setup();
  const isFocused = (name: string) => {
    const focused = document.activeElement;
    return (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').includes(name);
  };
  return {
    user,
    messages,
    async tabTo(name) {
      for (let stops = 0; stops < 20 && !isFocused(name); stops += 1) await user.tab();
      expect(isFocused(name), name).toBe(true);
    },
    setServer(state) {
      server = state;
      resume();
    },
  };
}

const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** `docs/accessibility-overlay.mdx` lists these steps. */
const OVERLAY: readonly Step<OverlayPage>[] = [
  ['<kbd>Tab</kbd> to a button of the page', ({ user }) => user.tab()],
  [
    'Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>A</kbd>',
    async ({ user, messages }) => {
      await user.keyboard('{Control>}{Alt>}a{/Alt}{/Control}');
      await screen.findByRole('dialog', { name: messages.accessTitle });
    },
  ],
  [
    "Type an address that is not the admin's, press <kbd>Enter</kbd>",
    async ({ user, messages }) => {
      await user.keyboard('ada@example.org{Enter}');
      await screen.findByText(messages.accessInvalid);
    },
  ],
  [
    'Press <kbd>Enter</kbd> again: the server cannot be reached',
    async ({ user, messages, setServer }) => {
      setServer('unreachable');
      await user.keyboard('{Enter}');
      await screen.findByText(messages.accessUnavailable);
      setServer('up');
    },
  ],
  [
    "Enter the admin's address",
    async ({ user, messages }) => {
      await user.clear(screen.getByLabelText(messages.accessEmailLabel));
      await user.keyboard(`${ADMIN}{Enter}`);
      await screen.findByRole('dialog', { name: messages.overviewTitle });
    },
  ],
  [
    'Press <kbd>Escape</kbd>: the focus returns to where it was',
    async ({ user }) => {
      await user.keyboard('{Escape}');
      await closed();
    },
  ],
  ['<kbd>Tab</kbd> to the counter box', ({ tabTo, messages }) => tabTo(messages.uniqueVisitors)],
  [
    'Press <kbd>Enter</kbd>: the server cannot be reached',
    async ({ user, messages, setServer }) => {
      setServer('unreachable');
      await user.keyboard('{Enter}');
      await screen.findByText(messages.overviewUnavailable);
    },
  ],
  ['<kbd>Tab</kbd> to the retry button', ({ tabTo, messages }) => tabTo(messages.retry)],
  [
    'Press <kbd>Enter</kbd>: the button disappears, the focus goes to the title',
    async ({ user, setServer }) => {
      setServer('slow');
      await user.keyboard('{Enter}');
    },
  ],
  [
    'The figures arrive',
    async ({ setServer }) => {
      setServer('up');
      await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('1,234'));
    },
  ],
  [
    'Press <kbd>Escape</kbd>: the focus returns to the counter box',
    async ({ user }) => {
      await user.keyboard('{Escape}');
      await closed();
    },
  ],
];

async function readFigures(messages: Messages, locale: string) {
  const page = open(messages, locale);
  const ears = await listenTo(document.body);
  const [asked, opened] = [OVERLAY.slice(0, 2), OVERLAY.slice(2, 5)];
  const dialog = () => readThrough(screen.getByRole('dialog'));
  const announced = [
    ...(await perform(page, asked, ears)),
    ['Read the dialog', await dialog()] as const,
    ...(await perform(page, opened, ears)),
    ['Read the panel', await dialog()] as const,
    ...(await perform(page, OVERLAY.slice(5), ears)),
  ];
  await ears.stop();
  cleanup();
  localStorage.clear();
  return announced;
}

it('announces what the documentation says, in English and Arabic', async () => {
  expect(formatRows(await readFigures(en, 'en'), await readFigures(ar, 'ar'))).toEqual(documentedRows(PAGE));
});
