import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';
import type { fakeApi } from '../testing/fake-api.fixture.ts';

/** Facts about the server, things to fix, and the audit log. */
const meta = {
  title: 'Dashboard/Health',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=health' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The fake server of the story that is shown. */
let server: ReturnType<typeof fakeApi> | undefined;

export const ThingsToFix: Story = {
  play: async () => {
    await expect(await screen.findByRole('heading', { name: '2 things to fix' })).toBeVisible();
    await expect(await screen.findByText('Downloaded 3,000 people as CSV')).toBeVisible();
  },
};

export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

/** A host such as Cloud Functions does not know of a disk or of backups. */
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
        retention_days: null,
      },
    },
  },
};

export const Loading: Story = {
  args: { server: { failures: { 'GET /admin/health': 'pending', 'GET /admin/audit': 'pending' } } },
};

export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/health': 'unreachable' } } } };

/** What was loaded stays on the page while the server cannot be reached. */
export const Offline: Story = {
  args: {
    onServer: (created) => {
      server = created;
    },
  },
  play: async ({ userEvent }) => {
    await screen.findByText('Downloaded 3,000 people as CSV');
    server?.setFailures({ 'GET /admin/audit': 'unreachable' });
    // As the browser does when the admin comes back to the tab.
    window.dispatchEvent(new Event('visibilitychange'));
    await expect(await screen.findByText(/^The server cannot be reached.* This is from \d\d:\d\d/)).toBeVisible();
    await expect(screen.getByText('Downloaded 3,000 people as CSV')).toBeVisible();
    server?.setFailures({});
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/cannot be reached/)).toBeNull());
  },
};
