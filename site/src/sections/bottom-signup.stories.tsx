import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, waitFor } from 'storybook/test';
import { onPaper } from '../on-paper.tsx';
import { BottomSignup } from './bottom-signup.tsx';

/** The second signup form, on the spot color, which is the same in both color schemes. */
const meta = {
  title: 'Landing page/Second form',
  component: BottomSignup,
  decorators: [onPaper],
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
} satisfies Meta<typeof BottomSignup>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Idle: Story = {
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled());
  },
};

/** An invalid address is blocked silently (SPEC section 5). */
export const InvalidAddress: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Email address'), 'ada.example.org{Enter}');
    await expect(canvas.queryByText('Please enter a valid email address')).toBeNull();
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Join the beta' })).toBeEnabled());
  },
};
