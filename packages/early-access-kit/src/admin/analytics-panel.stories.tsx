import type { Meta, StoryObj } from '@storybook/react-vite';
import { AdminOverlay } from 'early-access-kit';
import { memoryStore } from 'early-access-kit/adapters/memory';
import { expect, screen, waitFor, within } from 'storybook/test';
import { AdminPage, busy, counter, panel, remembered, withAdmin } from '../../stories/admin-page.tsx';
import { onPage } from '../../stories/on-page.tsx';
import { formatNumber, getTexts } from '../../stories/texts.ts';

/** "Analytics Overview": the two counts, the session figures of the last 30 days, and the logout button. */
const meta = {
  title: 'Widgets/Analytics panel',
  component: AdminOverlay,
  decorators: [onPage],
  parameters: { ...withAdmin(busy), docs: { story: { inline: false, height: '32rem' } } },
  argTypes: { dashboardUrl: { control: 'text' } },
  beforeEach: remembered,
  render: (overlay) => <AdminPage {...overlay} />,
} satisfies Meta<typeof AdminOverlay>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Returns the value below a label, in the order a screen reader reads the list. */
const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;

export const Figures: Story = {
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86)));
    await expect(await panel(t)).toBeVisible();
    await expect(screen.getByRole('heading', { name: t.overviewTitle })).toBeVisible();
    await waitFor(() => expect(figure(t.uniqueVisitors)).toHaveTextContent(formatNumber(globals, 1248)));
    await expect(figure(t.emailSignups)).toHaveTextContent(formatNumber(globals, 86));
    await expect(figure(t.bounceRate)).toHaveTextContent(
      formatNumber(globals, 0.3333, { style: 'percent', maximumFractionDigits: 2 }),
    );
    // Two minutes and some seconds, formatted in the story's language.
    await expect(figure(t.averageDuration)).toHaveTextContent(formatNumber(globals, 34));
  },
};

/** The panel loads the current figures when it opens. Here they never arrive. */
export const Loading: Story = {
  parameters: withAdmin(busy, { readSummary: { delay: 'forever' } }),
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, '…', '…'));
    const note = within(await panel(t)).getByRole('status');
    await expect(note).toHaveTextContent(t.overviewLoading);
    await expect(figure(t.uniqueVisitors)).toHaveTextContent('–');
  },
};

/** Links to the dashboard of the adapter's server. `dashboardUrl` changes the link, and `false` removes it. */
export const WithDashboard: Story = {
  name: 'With a dashboard',
  args: { dashboardUrl: '/admin' },
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86)));
    await panel(t);
    await expect(screen.getByRole('link', { name: t.openDashboard })).toHaveAttribute('href', '/admin');
    await expect(screen.getByRole('checkbox', { name: t.ignoreOwnVisits })).toBeChecked();
    await expect(screen.getByRole('checkbox', { name: t.ignoreOwnVisits })).toHaveStyle({ appearance: 'auto' });
  },
};

export const Empty: Story = {
  parameters: withAdmin(memoryStore),
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, formatNumber(globals, 0), formatNumber(globals, 0)));
    await expect(await panel(t)).toHaveTextContent(t.overviewEmpty);
    await expect(figure(t.bounceRate)).toHaveTextContent(formatNumber(globals, 0, { style: 'percent' }));
  },
};

export const Unreachable: Story = {
  name: 'Error',
  parameters: withAdmin(busy, { readSummary: { offline: true } }),
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, '–', '–'));
    const note = within(await panel(t)).getByRole('status');
    await waitFor(() => expect(note).toHaveTextContent(t.overviewUnavailable));
    await expect(screen.getByRole('button', { name: t.retry })).toBeVisible();
  },
};

/** Logging out removes the overlay from the page and the address from the browser's storage. */
export const Logout: Story = {
  play: async ({ userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.click(await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86)));
    await panel(t);
    await userEvent.click(screen.getByRole('button', { name: t.logout }));
    await waitFor(() => expect(document.querySelector('.eak-counter, dialog')).toBeNull());
    await expect(localStorage.getItem('adminEmail')).toBeNull();
  },
};
