import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { SampleCard } from './sample-card.tsx';

/** The proof of one print with its price label, shown in the hero. */
const meta = {
  title: 'Landing page/Sample card',
  component: SampleCard,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof SampleCard>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Proof: Story = {
  play: async ({ canvas }) => {
    const figures = canvas.getAllByRole('definition').map(({ textContent }) => textContent);
    await expect(figures).toEqual(['$12.50', '$35.00', '$22.50', '64%', '55-70%']);
  },
};
