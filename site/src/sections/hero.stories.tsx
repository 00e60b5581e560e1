import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, waitFor } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { Hero } from './hero.tsx';

/** Headline, benefits, form and sample card. */
const meta = {
  title: 'Landing page/Hero',
  component: Hero,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof Hero>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Idle: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('heading', { level: 1 })).toHaveTextContent('Know your margin before you print.');
    await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
  },
};

/** The form explains an invalid address, and nothing around it moves. */
export const InvalidAddress: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    const height = canvasElement.scrollHeight;
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada.example.org{Enter}');
    await expect(canvas.getByText('Please enter a valid email address')).toBeVisible();
    await expect(canvasElement.scrollHeight).toBe(height);
  },
};

export const Joined: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    const height = canvasElement.scrollHeight;
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada@example.org{Enter}');
    await waitFor(() => expect(canvas.getByText("You're on the list!")).toBeVisible());
    await expect(canvasElement.scrollHeight).toBe(height);
  },
};
