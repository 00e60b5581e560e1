import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { HowItWorks } from './how-it-works.tsx';

/** Three steps, drawn as progressive proofs of one print. */
const meta = {
  title: 'Landing page/How It Works',
  component: HowItWorks,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof HowItWorks>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Steps: Story = {
  play: async ({ canvas }) => {
    const titles = canvas.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    await expect(titles).toEqual(['Choose product', 'Auto-calculate costs', 'Set perfect prices']);
  },
};
