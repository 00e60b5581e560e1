// @vitest-environment jsdom
import path from 'node:path';
import {
  type Announced,
  documentedRows,
  formatRows,
  listenTo,
  perform,
  readThrough,
  type Step,
} from '@early-access-kit/testkit/screen-reader';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DashboardStory } from './testing/dashboard-story.fixture.tsx';
import type { FakeOptions, fakeApi } from './testing/fake-api.fixture.ts';

// The chart's library asks for the screen's resolution when it is loaded; jsdom has none.
vi.hoisted(() => {
  globalThis.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
});

const PAGE = path.resolve(import.meta.dirname, '../../../docs/dashboard-accessibility.md');

beforeEach(() => {
  // jsdom lacks a layout, in which the list measures its rows, and scrolling.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(45);
  vi.stubGlobal('scrollTo', () => {});
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Dashboard {
  readonly user: UserEvent;
  readonly server: ReturnType<typeof fakeApi>;
  /** Presses Tab until this control has the focus. */
  tabTo(name: RegExp): Promise<void>;
}

function open(search: string, options: FakeOptions): Dashboard {
  let server: ReturnType<typeof fakeApi> | undefined;
  render(
    <DashboardStory
      search={search}
      server={options}
      onServer={(created) => {
        server = created;
      }}
    />,
  );
  if (!server) throw new Error('no server was made');
  const user = userEvent.setup();
  return {
    user,
    server,
    async tabTo(name) {
      const isFocused = () => {
        const focused = document.activeElement;
        return name.test(
          focused?.getAttribute('aria-label') || focused?.closest('label')?.textContent || focused?.textContent || '',
        );
      };
      for (let stops = 0; stops < 40 && !isFocused(); stops += 1) await user.tab();
      expect(isFocused(), String(name)).toBe(true);
    },
  };
}

const SIGN_IN: readonly Step<Dashboard>[] = [
  ['<kbd>Tab</kbd> to the field', ({ user }) => user.tab()],
  [
    'Type "admin", press <kbd>Enter</kbd>',
    async ({ user }) => {
      await user.keyboard('admin{Enter}');
      await screen.findByText('Please enter a valid email address.');
    },
  ],
  [
    'Complete the address, press <kbd>Enter</kbd>',
    async ({ user }) => {
      await user.keyboard('@acme.example{Enter}');
      await screen.findAllByText(/a link is on its way/);
    },
  ],
  [
    'Press <kbd>Enter</kbd> too often',
    async ({ user, server }) => {
      server.setFailures({ 'POST /admin/sign-in': 429 });
      await user.keyboard('{Enter}');
      await screen.findByText(/wait a minute/);
    },
  ],
];

const PERSON = /^amara\.abebe/;
const address = () => screen.findByText(PERSON);

const PEOPLE: readonly Step<Dashboard>[] = [
  ['<kbd>Tab</kbd> to the search', ({ tabTo }) => tabTo(/^Search/)],
  [
    'Type a part of an address',
    async ({ user }) => {
      await user.keyboard('amara');
      await screen.findAllByText('1 person matches');
    },
  ],
  ['<kbd>Tab</kbd> to the check box of a person', ({ tabTo }) => tabTo(/^Select amara/)],
  [
    'Press <kbd>Space</kbd>',
    async ({ user }) => {
      await user.keyboard(' ');
      await screen.findAllByText('1 selected');
    },
  ],
  ['<kbd>Tab</kbd> to the address', ({ tabTo }) => tabTo(PERSON)],
  [
    'Press <kbd>Enter</kbd>: the record opens',
    async ({ user }) => {
      await user.keyboard('{Enter}');
      await within(await screen.findByRole('dialog')).findByText(/, desktop$|, mobile$|, tablet$/);
    },
  ],
  [
    'Press <kbd>Escape</kbd>: the focus returns to the address',
    async ({ user }) => {
      await user.keyboard('{Escape}');
      const opener = await address();
      await waitFor(() => expect(document.activeElement).toBe(opener));
    },
  ],
  ['<kbd>Tab</kbd> to "Forget…"', ({ tabTo }) => tabTo(/^Forget…/)],
  [
    'Press <kbd>Enter</kbd>: the dialog opens',
    async ({ user }) => {
      await user.keyboard('{Enter}');
      const field = await within(await screen.findByRole('dialog')).findByRole('textbox');
      await waitFor(() => expect(document.activeElement).toBe(field));
    },
  ],
  [
    'Type something else than asked for, press <kbd>Enter</kbd>',
    async ({ user }) => {
      await user.keyboard('forget 2{Enter}');
      await screen.findByText(/Nobody was forgotten/);
    },
  ],
  [
    'Type what is asked for, press <kbd>Enter</kbd>: the person is erased, the focus goes to the title',
    async ({ user }) => {
      await user.clear(screen.getByRole('textbox'));
      await user.keyboard('forget 1{Enter}');
      await screen.findAllByText('1 person was forgotten.');
      const title = screen.getByRole('heading', { name: 'People' });
      await waitFor(() => expect(document.activeElement).toBe(title));
    },
  ],
];

async function signIn(): Promise<Announced> {
  const ears = await listenTo(document.body);
  const page = open('', { signedIn: false });
  await screen.findByRole('heading', { name: 'Sign in to the dashboard' });
  const announced = [['Open the dashboard', await ears.heard()] as const, ...(await perform(page, SIGN_IN, ears))];
  await ears.stop();
  cleanup();
  return announced;
}

async function lookAtPeople(): Promise<Announced> {
  const page = open('page=people', { people: 8 });
  await address();
  const ears = await listenTo(document.body);
  const [toSearch, search, ...others] = PEOPLE;
  if (!toSearch || !search) throw new Error('not reached');
  const announced = [
    ...(await perform(page, [toSearch, search], ears)),
    ['Read the table', await readThrough(screen.getByRole('table'))] as const,
    ...(await perform(page, others, ears)),
  ];
  await ears.stop();
  return announced;
}

it('announces what the documentation says', async () => {
  expect(formatRows([...(await signIn()), ...(await lookAtPeople())])).toEqual(documentedRows(PAGE));
});
