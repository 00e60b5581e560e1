import type { Meta, StoryObj } from '@storybook/react-vite';
import { AdminOverlay } from 'early-access-kit';
import { memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { expect, waitFor } from 'storybook/test';
import { ADMIN, AdminPage, busy, counter, counterBox, remembered, withAdmin } from '../../stories/admin-page.tsx';
import { onPage, provideStore } from '../../stories/on-page.tsx';
import { formatNumber, getTexts } from '../../stories/texts.ts';

/**
 * The small box at the bottom right, shown if the browser has stored the admin email. It is a single button that opens
 * the panel; its accessible name includes the figures.
 */
const meta = {
  title: 'Widgets/Counter box',
  component: AdminOverlay,
  decorators: [onPage],
  parameters: { ...withAdmin(busy), docs: { story: { inline: false, height: '16rem' } } },
  argTypes: { dashboardUrl: { control: 'text' } },
  beforeEach: remembered,
  render: (overlay) => <AdminPage {...overlay} />,
} satisfies Meta<typeof AdminOverlay>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Figures: Story = {
  play: async ({ globals }) => {
    const t = getTexts(globals);
    const button = await counter(t, formatNumber(globals, 1248), formatNumber(globals, 86));
    await expect(button).toBeVisible();
    await expect(button).toHaveAttribute('aria-haspopup', 'dialog');
    await expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
  },
};

/** Shown if the figures take a while to load. */
export const Loading: Story = {
  parameters: withAdmin(busy, { readSummary: { delay: 'forever' } }),
  play: async ({ globals }) => {
    const t = getTexts(globals);
    await expect(await counterBox(t)).toHaveTextContent(`${t.uniqueVisitors} … ${t.emailSignups} …`);
    await waitFor(async () => expect(await counter(t, '…', '…')).toBeVisible());
  },
};

export const Zero: Story = {
  parameters: withAdmin(memoryStore),
  play: async ({ globals }) => {
    const t = getTexts(globals);
    await expect(await counter(t, formatNumber(globals, 0), formatNumber(globals, 0))).toBeVisible();
  },
};

/** A million visitors: the digits fit in the box, and the box fits on the page. */
export const Million: Story = {
  parameters: provideStore(() => ({
    ...memoryAdapter(),
    readSummary: async () => ({
      unique_visitors: 1_000_000,
      email_signups: 1_000_000,
      bounce_rate: 41.67,
      average_duration: 185,
    }),
  })),
  play: async ({ globals }) => {
    const t = getTexts(globals);
    const million = formatNumber(globals, 1_000_000);
    const button = await counter(t, million, million);
    const { left, right } = button.getBoundingClientRect();
    await expect(left).toBeGreaterThanOrEqual(0);
    await expect(right).toBeLessThanOrEqual(document.documentElement.clientWidth);
  },
};

/** The address is not removed, because an unreachable store does not mean it is wrong. */
export const Unreachable: Story = {
  parameters: withAdmin(busy, { readSummary: { offline: true } }),
  play: async ({ globals }) => {
    const t = getTexts(globals);
    await expect(await counter(t, '–', '–')).toHaveAttribute('title', t.overviewUnavailable);
    await expect(localStorage.getItem('adminEmail')).toBe(ADMIN);
  },
};
