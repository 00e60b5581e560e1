import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { SiteFooter } from './site-footer.tsx';

/** Copyright and privacy note. */
const meta = {
  title: 'Landing page/Footer',
  component: SiteFooter,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof SiteFooter>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Closed: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText('© 2025 PrintMargin')).toBeVisible();
  },
};

export const PrivacyNote: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Privacy, in short'));
    await expect(canvas.getByText(/No cookies, no third parties/)).toBeVisible();
  },
};
