import type { Meta, StoryObj } from '@storybook/react-vite';
import type { Toast } from 'early-access-kit';
import { useEffect } from 'react';
import { expect, waitFor } from 'storybook/test';
import { announcements, keepToast } from '../../stories/form-on-screen.ts';
import { onPage } from '../../stories/on-page.tsx';
import { getTexts } from '../../stories/texts.ts';
import { useEarlyAccess } from '../provider.tsx';

interface ToastsProps {
  /** The toasts to show, in order. */
  toasts: readonly Toast[];
}

function Toasts({ toasts }: ToastsProps) {
  const { notify } = useEarlyAccess();
  useEffect(() => {
    for (const toast of toasts) notify(toast);
  }, [toasts, notify]);
  return (
    <p>
      Toasts appear at the edge of the page and disappear after eight seconds, unless the pointer or the focus is on
      them.
    </p>
  );
}

/**
 * The provider's own toasts. Their live region is in the page before the first toast, so that screen readers announce
 * it, too. A `notify` prop on the provider replaces them.
 */
const meta = {
  title: 'Widgets/Toasts',
  component: Toasts,
  decorators: [onPage],
  argTypes: { toasts: { control: 'object' } },
  parameters: { docs: { story: { inline: false, height: '20rem' } } },
} satisfies Meta<typeof Toasts>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Expects that every toast is announced in order and stays visible, as if hovered. */
const shown: Story['play'] = async ({ args }) => {
  const region = announcements();
  await expect(region).toHaveAttribute('aria-live', 'polite');
  for (const { text } of args.toasts) await keepToast(text);
  await expect([...region.children].map((toast) => toast.textContent)).toEqual(args.toasts.map(({ text }) => text));
  await expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
};

export const Success: Story = {
  args: { toasts: [{ kind: 'success', text: 'Thanks for signing up! Check your email for updates.' }] },
  play: shown,
};

export const Failure: Story = {
  name: 'Error',
  args: { toasts: [{ kind: 'error', text: 'This email is already registered!' }] },
  play: shown,
};

export const Several: Story = {
  args: {
    toasts: [
      { kind: 'error', text: 'This email is already registered!' },
      { kind: 'error', text: 'Something went wrong. Please try again.' },
      { kind: 'success', text: 'Thanks for signing up! Check your email for updates.' },
    ],
  },
  play: shown,
};

/** Long texts wrap, including long words without a break opportunity. */
export const LongText: Story = {
  args: {
    toasts: [
      {
        kind: 'error',
        text: 'Your address could not be added to the list, because the list is being moved to another machine at the moment. Please try again in a quarter of an hour.',
      },
      { kind: 'success', text: `Welcome, ${'artist'.repeat(24)}@example.org` },
    ],
  },
  play: shown,
};

/** The dismiss button is 24 px, has an accessible name, and removes the toast. */
export const Dismissed: Story = {
  args: { toasts: [{ kind: 'error', text: 'Something went wrong. Please try again.' }] },
  play: async ({ canvas, userEvent, globals }) => {
    const dismiss = await canvas.findByRole('button', { name: getTexts(globals).dismissToast });
    const { width, height } = dismiss.getBoundingClientRect();
    await expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    await userEvent.click(dismiss);
    await waitFor(() => expect(announcements()).toBeEmptyDOMElement());
  },
};
