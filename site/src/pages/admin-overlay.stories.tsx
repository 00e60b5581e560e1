import type { Meta, StoryObj } from '@storybook/react-vite';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect, fireEvent, screen, waitFor } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { LandingPage } from './landing-page.tsx';

const ADMIN = 'admin@printmargin.example';
const SUMMARY = { unique_visitors: 1_248, email_signups: 86, bounce_rate: 41.67, average_duration: 185 };
const adapter = { ...memoryAdapter({ adminEmail: ADMIN }), readSummary: async () => SUMMARY };

const forget = () => localStorage.removeItem('adminEmail');

/** The admin overlay of the kit in the colors and type of the page. */
const meta = {
  title: 'Landing page/Admin overlay',
  component: LandingPage,
  argTypes: { adapter: { control: false } },
  args: { adapter },
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  beforeEach: () => {
    localStorage.setItem('adminEmail', ADMIN);
    return forget;
  },
} satisfies Meta<typeof LandingPage>;

export default meta;

type Story = StoryObj<typeof meta>;

const counterBox = () => screen.findByRole('button', { name: 'Unique Visitors 1,248 Email Signups 86' });

export const CounterBox: Story = {
  play: async () => {
    await expect(await counterBox()).toBeVisible();
  },
};

export const AnalyticsPanel: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await counterBox());
    await expect(await screen.findByRole('dialog', { name: 'Analytics Overview' })).toHaveTextContent('1,248');
  },
};

export const AnalyticsPanelOnPhone: Story = {
  ...AnalyticsPanel,
  globals: { viewport: { value: 'phone', isRotated: false } },
};

export const AccessDialog: Story = {
  beforeEach: forget,
  play: async () => {
    await waitFor(async () => {
      if (!document.querySelector('.eak-admin')) {
        await fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, code: 'KeyA', key: 'a' });
      }
      await expect(screen.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
    });
  },
};
