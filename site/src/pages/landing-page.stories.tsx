import type { Meta, StoryObj } from '@storybook/react-vite';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { LandingPage } from './landing-page.tsx';

/** The whole page, with an adapter that only stores in memory. */
const meta = {
  title: 'Landing page/Whole page',
  component: LandingPage,
  argTypes: { adapter: { control: false } },
  args: { adapter: memoryAdapter() },
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof LandingPage>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Page: Story = {
  play: async ({ canvas }) => {
    const titles = canvas.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    await expect(titles).toHaveLength(4);
    await expect(canvas.getAllByRole('button', { name: 'Join the beta' })).toHaveLength(2);
  },
};
