import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** The admin's own choices, and the browsers that are signed in. */
const meta = {
  title: 'Dashboard/Settings',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=settings' },
  beforeEach: () => {
    localStorage.setItem('own_visits', 'ignored');
    return () => localStorage.removeItem('own_visits');
  },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

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
      await userEvent.click(screen.getByRole('switch', { name: "Don't count my own visits" }));
      await expect(localStorage.getItem('own_visits')).toBe('');
    });
  },
};

export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

/** A setting that could not be saved returns to its old value. */
export const NotSaved: Story = {
  args: { server: { failures: { 'POST /admin/settings': 503 } } },
  play: async ({ userEvent }) => {
    const weekly = await screen.findByRole('switch', { name: 'Weekly email' });
    await userEvent.click(weekly);
    await expect((await screen.findAllByText(/could not do this right now/))[0]).toBeVisible();
    await expect(weekly).not.toBeChecked();
  },
};

export const SignOutAnotherBrowser: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out Safari on iOS' }));
    await expect(await screen.findByText('Safari on iOS was signed out.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Safari on iOS')).toBeNull());
  },
};

export const Loading: Story = { args: { server: { failures: { 'GET /admin/sessions': 'pending' } } } };
