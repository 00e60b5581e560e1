import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** The mail queue, and whether mail gets out at all. */
const meta = {
  title: 'Dashboard/Mail',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=mail' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Queue: Story = {
  play: async () => {
    await expect((await screen.findAllByRole('rowheader', { name: /mailbox unavailable/ }))[0]).toBeVisible();
  },
};

export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

export const TestMail: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test mail to me' }));
    await expect(await screen.findByText(/accepted the message/)).toBeVisible();
  },
};

export const TestMailFails: Story = {
  args: { server: { failures: { 'POST /admin/mail/test': 429 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test mail to me' }));
    await expect(await screen.findByText(/wait a minute/)).toBeVisible();
  },
};

export const EverythingSent: Story = {
  args: {
    server: {
      mail: { unsent: [], next_due_at: null, counts: { queued: 0, sending: 0, sent: 2_906, failed: 0, unknown: 0 } },
    },
  },
};

export const QuotaUsedUp: Story = {
  args: { server: { mail: { quota: { per_hour: 200, spent_until: Date.UTC(2026, 10, 22, 11) } } } },
};

export const NoMailServer: Story = {
  args: { server: { mail: { transport: null } } },
  play: async () => {
    await expect(await screen.findByText(/no mail server is set/)).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Send a test mail to me' })).toBeDisabled();
  },
};

export const Loading: Story = { args: { server: { failures: { 'GET /admin/mail': 'pending' } } } };

export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/mail': 'unreachable' } } } };
