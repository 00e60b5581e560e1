import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { SiteHeader } from './site-header.tsx';

/** The name and the links to the sections. Phones only get the link to the form. */
const meta = {
  title: 'Landing page/Header',
  component: SiteHeader,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof SiteHeader>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Header: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('link', { name: 'Join the beta' })).toHaveAttribute('href', '#join');
  },
};
