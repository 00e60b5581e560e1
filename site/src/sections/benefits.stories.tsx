import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { Benefits } from './benefits.tsx';

/** Four benefits, each with its figure. */
const meta = {
  title: 'Landing page/Benefits',
  component: Benefits,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof Benefits>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Ledger: Story = {
  play: async ({ canvas }) => {
    const titles = canvas.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    await expect(titles).toEqual([
      'Exact net profit',
      'Compare platforms',
      'Launch in minutes',
      'Any currency or region',
    ]);
  },
};
