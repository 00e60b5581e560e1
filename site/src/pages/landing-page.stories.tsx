import type { Meta, StoryObj } from '@storybook/react-vite';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect, fireEvent, screen, waitFor } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { LandingPage } from './landing-page.tsx';

const ADMIN = 'admin@printmargin.example';
const SUMMARY = { unique_visitors: 1_248, email_signups: 86, bounce_rate: 41.67, average_duration: 185 };

const forget = () => localStorage.removeItem('adminEmail');
const remember = () => {
  localStorage.setItem('adminEmail', ADMIN);
  return forget;
};

/** The whole page, and the kit's admin overlay in its colors and fonts. The adapter only stores in memory. */
const meta = {
  title: 'Landing page/Whole page',
  component: LandingPage,
  argTypes: { adapter: { control: false } },
  args: { adapter: { ...memoryAdapter({ adminEmail: ADMIN }), readSummary: async () => SUMMARY } },
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  beforeEach: forget,
} satisfies Meta<typeof LandingPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Page: Story = {
  play: async ({ canvas, userEvent }) => {
    const titles = canvas.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    await expect(titles).toHaveLength(4);
    await expect(canvas.getAllByRole('button', { name: 'Join the beta' })).toHaveLength(2);
    await userEvent.click(canvas.getByText('Privacy, in short'));
    await expect(canvas.getByText(/No cookies, no third parties/)).toBeVisible();
  },
};

/**
 * The first form explains an invalid address without moving anything. The second one blocks it silently (SPEC section
 * 5).
 */
export const InvalidAddress: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    const height = canvasElement.scrollHeight;
    const fields = canvas.getAllByLabelText('Email address');
    await expect(fields).toHaveLength(2);
    for (const field of fields) await userEvent.type(field, 'ada.example.org{Enter}');
    await expect(canvas.getAllByText('Please enter a valid email address')).toHaveLength(1);
    await expect(canvasElement.scrollHeight).toBe(height);
  },
};

/** The message replaces the first form without moving anything. */
export const Joined: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    const hero = canvas.getByRole('heading', { level: 1 }).closest('section');
    const height = hero?.scrollHeight;
    await userEvent.type(canvas.getAllByLabelText('Email address')[0] ?? canvasElement, 'ada@example.org{Enter}');
    await waitFor(() => expect(canvas.getAllByText("You're on the list!")[0]).toBeVisible());
    await expect(hero?.scrollHeight).toBe(height);
  },
};

/** The list requires confirmed addresses: the page says what to do, and does not claim success. */
export const Pending: Story = {
  args: { adapter: memoryAdapter({ script: { createSignup: { pending: true } } }) },
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.type(canvas.getAllByLabelText('Email address')[0] ?? canvasElement, 'ada@gmail.com{Enter}');
    await waitFor(() => expect(canvas.getAllByText('Check your inbox')).toHaveLength(2));
    await expect(canvas.getByRole('heading', { name: 'One click to go before the ink is dry.' })).toBeVisible();
    await expect(canvasElement).not.toHaveTextContent(/You’re in|on the list!|Tell them/);
  },
};

const counterBox = () => screen.findByRole('button', { name: 'Unique Visitors 1,248 Email Signups 86' });

export const CounterBox: Story = {
  beforeEach: remember,
  play: async () => {
    await expect(await counterBox()).toBeVisible();
  },
};

export const AnalyticsPanel: Story = {
  beforeEach: remember,
  play: async ({ userEvent }) => {
    await userEvent.click(await counterBox());
    await expect(await screen.findByRole('dialog', { name: 'Analytics Overview' })).toHaveTextContent('1,248');
  },
};

export const AccessDialog: Story = {
  play: async () => {
    await waitFor(async () => {
      if (!document.querySelector('.eak-admin')) {
        await fireEvent.keyDown(document.body, { ctrlKey: true, altKey: true, code: 'KeyA', key: 'a' });
      }
      await expect(screen.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
    });
  },
};
