import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** The admin's own settings, and the browsers that are signed in. */
const meta = {
  title: 'Dashboard/Settings',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=settings' },
  beforeEach: () => {
    localStorage.setItem('own_visits', 'ignored');
    return () => localStorage.removeItem('own_visits');
  },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Each setting is saved as soon as it is changed. */
export const Settings: Story = {
  play: async ({ userEvent, step }) => {
    await step('The weekly email is saved', async () => {
      const weekly = await screen.findByRole('switch', { name: 'Weekly email' });
      await userEvent.click(weekly);
      await expect(weekly).toBeChecked();
      await expect(await screen.findByText('Saved.')).toBeVisible();
    });
    await step('Notices of new signups are saved', async () => {
      const notices = screen.getByRole('combobox', { name: /^Email me about new signups/ });
      await userEvent.selectOptions(notices, 'Once a day');
      await expect(notices).toHaveValue('daily');
    });
    await step('Own visits are counted in this browser', async () => {
      await userEvent.click(screen.getByRole('switch', { name: 'Don’t count my own sessions' }));
      await expect(localStorage.getItem('own_visits')).toBe('');
    });
  },
};

/** The settings on a phone. */
export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

/** A setting that could not be saved returns to its previous value. */
export const NotSaved: Story = {
  args: { server: { failures: { 'POST /admin/settings': 503 } } },
  play: async ({ userEvent }) => {
    const weekly = await screen.findByRole('switch', { name: 'Weekly email' });
    await userEvent.click(weekly);
    await expect((await screen.findAllByText(/could not do this right now/))[0]).toBeVisible();
    await expect(weekly).not.toBeChecked();
  },
};

/** The list is closed with a text and a link. The dialog shows why the server rejects an input. */
export const CloseTheList: Story = {
  play: async ({ userEvent, step }) => {
    await step('The dialog opens', async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Change signups' }));
      await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'The list is' }), 'Closed');
      await userEvent.type(screen.getByRole('textbox', { name: /^Message to visitors/ }), 'Back in spring.');
      await userEvent.type(screen.getByRole('textbox', { name: 'Link to another page' }), 'acme.example');
    });
    await step('A link that no browser opens is refused', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await expect(await screen.findByText(/^The link must be an address that starts with/)).toBeVisible();
      await userEvent.clear(screen.getByRole('textbox', { name: 'Link to another page' }));
      await userEvent.type(screen.getByRole('textbox', { name: 'Link to another page' }), 'https://acme.example');
    });
    await step('It is closed', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await expect(await screen.findByText('The list is closed.')).toBeVisible();
      await expect(await screen.findByText('Closed: nobody can sign up')).toBeVisible();
    });
  },
};

/** The list is full, so signups are closed until there is space. */
export const FullList: Story = { args: { server: { people: 500, list: { status: { max_people: 500 } } } } };

const WAITING = {
  status: { mode: 'paused', takes_requests: true },
  waiting: ['ada@example.org', 'bob@example.org'],
} as const;

/** A person who waits for the list to open is erased. */
export const PeopleWait: Story = {
  args: { server: { list: WAITING } },
  play: async ({ userEvent, step }) => {
    await step('They are shown', async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Show waiting people' }));
      await expect(await screen.findByRole('link', { name: 'Download all as CSV' })).toBeVisible();
    });
    await step('One is erased', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Erase ada@example.org' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Erase' }));
      await expect(await screen.findByText('Person erased.')).toBeVisible();
      await waitFor(() => expect(screen.queryByText('ada@example.org')).toBeNull());
    });
  },
};

/** Another browser is signed out from here. */
export const SignOutAnotherBrowser: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out Safari on iOS' }));
    await expect(await screen.findByText('Safari on iOS signed out.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Safari on iOS')).toBeNull());
  },
};

/** The list of signed-in browsers is loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/sessions': 'pending' } } } };
