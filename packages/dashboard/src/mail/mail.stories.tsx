import type { Meta, StoryObj } from '@storybook/react-vite';
import type { MailResponse } from 'early-access-server/admin-api';
import { expect, screen, waitFor } from 'storybook/test';
import { NOW } from '../testing/dashboard.fixture.ts';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** The mail queue and the state of delivery. */
const meta = {
  title: 'Dashboard/Mail',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=mail' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Emails that are not sent yet, and failed ones with the reason. */
export const Queue: Story = {
  play: async () => {
    await expect((await screen.findAllByRole('rowheader', { name: /mailbox unavailable/ }))[0]).toBeVisible();
  },
};

/** The kind is in the URL. If no message has it, the list says so. */
export const OfOneKind: Story = {
  play: async ({ userEvent }) => {
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'Campaign');
    await expect(await screen.findByText('No email of this kind is waiting or has failed')).toBeVisible();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Welcome');
    await expect((await screen.findAllByRole('cell', { name: 'Welcome' }))[0]).toBeVisible();
  },
};

/** It is unknown whether an email arrived: the admin decides. */
export const Unknown: Story = {
  play: async ({ userEvent }) => {
    const [decide] = await screen.findAllByRole('button', { name: /^Resolve delivery to/ });
    if (decide) await userEvent.click(decide);
    await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
    await expect(await screen.findByText(/^Resending to .*\.$/)).toBeVisible();
  },
};

const PAUSED: Partial<MailResponse> = {
  counts: { queued: 1_208, sending: 0, sent: 2_906, failed: 0, unknown: 0 },
  waiting: { due: 1_204, planned: 4, planned_at: NOW + 600_000, of_paused_campaigns: 0 },
  pause: {
    since: NOW - 420_000,
    until: NOW + 240_000,
    refusals: 3,
    reason: '554 5.7.1 <[address]>: Relay access denied (RCPT TO)',
    advice:
      'The mail server does not accept emails to other domains from this account. Check the user name and the password in SMTP_URL, and that the account may still send.',
  },
  next_due_at: NOW + 240_000,
};

/** The mail server rejects every email. The page shows its reason and what to do, and the admin can retry one email. */
export const Paused: Story = {
  args: { server: { mail: PAUSED } },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText(/Relay access denied/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await expect(await screen.findByText('Retrying the next email.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/Relay access denied/)).toBeNull());
  },
};

/** Every attempt fails. The page shows when that began, how many emails wait, and when the next attempt is. */
export const ServerUnreachable: Story = {
  args: {
    server: {
      mail: {
        counts: { queued: 12, sending: 0, sent: 2_906, failed: 0, unknown: 0 },
        trouble: {
          kind: 'unreachable',
          since: NOW - 420_000,
          reason: 'ESOCKET ECONNREFUSED (CONN)',
          advice: 'The mail server refuses connections. Check the server and the port in SMTP_URL.',
        },
        next_due_at: NOW + 60_000,
      },
    },
  },
  play: async () => {
    await expect(await screen.findByText(/^The mail server has been unreachable since/)).toBeVisible();
    await expect(screen.getByText(/^12 emails wait\. The next attempt is/)).toBeVisible();
  },
};

/** One recipient is rejected, possibly because of the sender. The other emails are sent. */
export const RecipientRefused: Story = {
  args: {
    server: {
      mail: {
        trouble: {
          kind: 'recipient-refused',
          since: NOW - 60_000,
          reason: '554 5.7.1 <[address]>: Relay access denied (RCPT TO)',
          advice: 'Check the user name and the password in SMTP_URL, and that the account may still send.',
        },
      },
    },
  },
  play: async () => {
    await expect(await screen.findByText(/refused the last recipient/)).toBeVisible();
  },
};

/** More people report emails as spam than Gmail tolerates. Everything is still sent. */
export const Complaints: Story = {
  args: {
    server: { mail: { complaints: { since: NOW - 604_800_000, emails: 4_210, complaints: 6, level: 'high' } } },
  },
  play: async () => {
    await expect(await screen.findByText(/^Of 4,210 emails sent since .*, 6 people reported an email/)).toBeVisible();
  },
};

/** Too many people report emails as spam, so campaigns are paused. */
export const PausedForComplaints: Story = {
  args: {
    server: { mail: { complaints: { since: NOW - 604_800_000, emails: 4_210, complaints: 14, level: 'too-high' } } },
  },
  play: async () => {
    await expect(await screen.findByText(/^Campaigns are paused, because/)).toBeVisible();
  },
};

/** Nothing is sent although emails wait: the page says what they are waiting for. */
export const CampaignPaused: Story = {
  args: {
    server: {
      mail: {
        counts: { queued: 640, sending: 0, sent: 2_906, failed: 0, unknown: 0 },
        waiting: { due: 0, planned: 0, planned_at: null, of_paused_campaigns: 640 },
        next_due_at: null,
      },
    },
  },
  play: async () => {
    await expect(await screen.findByText(/^640, waiting until you resume it under/)).toBeVisible();
    await expect(screen.getByText('None until the campaign is resumed')).toBeVisible();
    await expect(screen.queryByText('Nothing is waiting')).toBeNull();
  },
};

/** The mail server accepted a test email. */
export const TestMail: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send me a test email' }));
    await expect(await screen.findByText(/accepted the message/)).toBeVisible();
  },
};

/** Too many test emails were sent. The admin is asked to wait a minute. */
export const TestMailFails: Story = {
  args: { server: { failures: { 'POST /admin/mail/test': 429 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send me a test email' }));
    await expect(await screen.findByText(/wait a minute/)).toBeVisible();
  },
};

/** The mail queue is empty. */
export const EverythingSent: Story = {
  args: {
    server: {
      mail: { unsent: [], next_due_at: null, counts: { queued: 0, sending: 0, sent: 2_906, failed: 0, unknown: 0 } },
    },
  },
};

/** The hour's mail quota is used up, and the page says when sending continues. */
export const QuotaUsedUp: Story = {
  args: { server: { mail: { quota: { per_hour: 200, spent_until: Date.UTC(2026, 10, 22, 11) } } } },
};

/** No mail server is set, so a test email cannot be sent. */
export const NoMailServer: Story = {
  args: { server: { mail: { transport: null } } },
  play: async () => {
    await expect(await screen.findByText(/no mail server is set/)).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Send me a test email' })).toBeDisabled();
  },
};

/** The mail queue is loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/mail': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/mail': 'unreachable' } } } };
