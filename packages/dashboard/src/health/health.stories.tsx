import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

/** Facts about the server, problems to fix, and the audit log. */
const meta = {
  title: 'Dashboard/Health',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=health' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Two problems at the top, then the facts and the audit log. */
export const ThingsToFix: Story = {
  play: async () => {
    await expect(await screen.findByRole('heading', { name: '2 things to fix' })).toBeVisible();
    await expect(await screen.findByText('Downloaded 3,000 people as CSV')).toBeVisible();
    await expect(screen.getByText('API key Weekly report: GET /api/admin/list')).toBeVisible();
  },
};

/** A host app that does not pass client addresses and does not run jobs. */
export const MountedWrongly: Story = {
  args: {
    server: {
      health: {
        store: 'postgres',
        issues: [
          {
            severity: 'error',
            message:
              'Emails have been due for more than 10 minutes, and nothing sends them. Call start() in a process that keeps running, or runJobs() every few minutes from a cron job.',
          },
          {
            severity: 'warning',
            message:
              'Signups arrive below a path other than /api. Serve the application at the root of its origin, as /api, /confirm, /unsubscribe and /admin.',
          },
          {
            severity: 'warning',
            message:
              'The host does not say where requests come from, so all visitors share one rate limit. Pass clientAddress to fetch, or set trustProxy to the number of proxies.',
          },
        ],
      },
    },
  },
  play: async () => {
    await expect(await screen.findByRole('heading', { name: '3 things to fix' })).toBeVisible();
    await expect(screen.getByText(/^Emails have been due/)).toBeVisible();
    await expect(screen.getAllByLabelText('Warning')).toHaveLength(2);
  },
};

/** Platforms such as Cloud Functions have no information about disks and backups. */
export const NothingToFix: Story = {
  args: {
    server: {
      isEmpty: true,
      health: {
        store: 'firestore',
        issues: [],
        limits_hit: {},
        database_bytes: null,
        disk_free_bytes: null,
        last_backup_at: null,
      },
    },
  },
};

/** The facts and the audit log are loading. */
export const Loading: Story = {
  args: { server: { failures: { 'GET /admin/health': 'pending', 'GET /admin/audit': 'pending' } } },
};

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/health': 'unreachable' } } } };

/** The data stays visible while the server cannot be reached. */
export const Offline: Story = {
  play: async ({ userEvent }) => {
    await screen.findByText('Downloaded 3,000 people as CSV');
    shownServer().setFailures({ 'GET /admin/audit': 'unreachable' });
    // The browser sends this event when the admin returns to the tab.
    window.dispatchEvent(new Event('visibilitychange'));
    await expect(await screen.findByText(/^The server cannot be reached.* Showing data from \d\d:\d\d/)).toBeVisible();
    await expect(screen.getByText('Downloaded 3,000 people as CSV')).toBeVisible();
    shownServer().setFailures({});
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/cannot be reached/)).toBeNull());
  },
};
