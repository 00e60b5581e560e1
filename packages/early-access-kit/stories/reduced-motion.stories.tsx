import type { Meta, StoryObj } from '@storybook/react-vite';
import { SignupForm } from 'early-access-kit';
import { expect, screen } from 'storybook/test';
import { field, keepToast } from './form-on-screen.ts';
import { ADDRESS } from './form-states.ts';
import { onPage } from './on-page.tsx';
import { getTexts } from './texts.ts';

/** Nothing moves: a toast appears at once. The toolbar simulates `prefers-reduced-motion`. */
const meta = {
  title: 'Conditions/Reduced motion',
  decorators: [onPage],
  globals: { motion: 'reduce' },
} satisfies Meta;

export default meta;

export const ToastAtRest: StoryObj<typeof meta> = {
  name: 'Toast',
  render: () => <SignupForm botGuard={false} />,
  play: async ({ canvas, userEvent, globals }) => {
    const t = getTexts(globals);
    await userEvent.type(field(canvas, t), `${ADDRESS}{Enter}`);
    await keepToast(t.signupSucceeded);
    const toast = screen.getByText(t.signupSucceeded).closest('.eak-toast');
    await expect(toast?.getAnimations({ subtree: true })).toEqual([]);
  },
};
