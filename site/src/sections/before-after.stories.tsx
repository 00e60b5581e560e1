import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { BeforeAfter } from './before-after.tsx';

/** The minutes spent on one price, one dot each. */
const meta = {
  title: 'Landing page/Before vs After',
  component: BeforeAfter,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof BeforeAfter>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Comparison: Story = {
  play: async ({ canvas }) => {
    // Ranges are elements, so that no line breaks in them.
    for (const [range, text] of [
      ['4-6', '4-6 hours'],
      ['2-3', '2-3 minutes'],
    ] as const) {
      await expect(canvas.getByText(range)).toBeVisible();
      await expect(canvas.getByText(range).parentElement).toHaveTextContent(text);
    }
  },
};
