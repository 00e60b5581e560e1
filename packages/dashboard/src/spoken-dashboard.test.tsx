// @vitest-environment jsdom
import { type Announced, listenTo, perform, readThrough, type Step } from '@early-access-kit/testkit/screen-reader';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DashboardStory, shownServer } from './testing/dashboard-story.fixture.tsx';
import type { FakeOptions, fakeApi } from './testing/fake-api.fixture.ts';

const { standInForLayout } = await vi.hoisted(() => import('./testing/layout.fixture.ts'));

beforeEach(() => {
  standInForLayout();
  // The table's virtualization measures its rows.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(45);
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
  render(<DashboardStory search={search} server={options} />);
  const user = userEvent.setup();
  return {
    user,
    server: shownServer(),
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
  ['Tab to the field', ({ user }) => user.tab()],
  [
    'Type "admin", press Enter',
    async ({ user }) => {
      await user.keyboard('admin{Enter}');
      await screen.findByText('Please enter a valid email address.');
    },
  ],
  [
    'Complete the address, press Enter',
    async ({ user }) => {
      await user.keyboard('@acme.example{Enter}');
      await screen.findAllByText(/a link is on its way/);
    },
  ],
  [
    'Press Enter too often',
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
  ['Tab to the search', ({ tabTo }) => tabTo(/^Search$/)],
  [
    'Type a part of an address',
    async ({ user }) => {
      await user.keyboard('amara');
      await screen.findAllByText('1 person matches');
    },
  ],
  ['Tab to the check box of a person', ({ tabTo }) => tabTo(/^Select amara/)],
  [
    'Press Space',
    async ({ user }) => {
      await user.keyboard(' ');
      await screen.findAllByText('1 selected');
    },
  ],
  ['Tab to the address', ({ tabTo }) => tabTo(PERSON)],
  [
    'Press Enter: the record opens',
    async ({ user }) => {
      await user.keyboard('{Enter}');
      await within(await screen.findByRole('dialog')).findByText(/, desktop$|, mobile$|, tablet$/);
    },
  ],
  [
    'Press Escape: the focus returns to the address',
    async ({ user }) => {
      await user.keyboard('{Escape}');
      const opener = await address();
      await waitFor(() => expect(document.activeElement).toBe(opener));
    },
  ],
  ['Tab to "Erase…"', ({ tabTo }) => tabTo(/^Erase…/)],
  [
    'Press Enter: the dialog opens',
    async ({ user }) => {
      await user.keyboard('{Enter}');
      const field = await within(await screen.findByRole('dialog')).findByRole('textbox');
      await waitFor(() => expect(document.activeElement).toBe(field));
    },
  ],
  [
    'Type something else than asked for, press Enter',
    async ({ user }) => {
      await user.keyboard('erase 2{Enter}');
      await screen.findByText(/Nobody was erased/);
    },
  ],
  [
    'Type what is asked for, press Enter: the person is erased, the focus goes to the title',
    async ({ user }) => {
      await user.clear(screen.getByRole('textbox'));
      await user.keyboard('erase 1{Enter}');
      await screen.findAllByText('1 person erased.');
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

/** Lists each step with one phrase per line. docs/dashboard-accessibility.md describes the result. */
function formatAnnounced(announced: Announced): string {
  return announced.map(([step, phrases]) => `${[step, ...phrases].join('\n  ')}\n`).join('\n');
}

it('announces each step of signing in and of erasing a person', async () => {
  const announced = [...(await signIn()), ...(await lookAtPeople())];
  await expect(formatAnnounced(announced)).toMatchFileSnapshot('spoken-dashboard.txt');
});
