import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { shownDocument } from '../../../../../../.storybook/document-frame.tsx';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

/** Notifies admins that complaints have paused the campaigns. */
const meta = {
  ...onEmail,
  title: 'Emails/Campaigns paused',
  component: Email,
  args: { email: 'paused' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Contains the figures, and what to do. */
export const Usual: Story = {
  play: async (context) => {
    await onEmail.play(context);
    const email = await shownDocument(context.canvasElement);
    await expect(email.body).toHaveTextContent(
      /7 of 1,400 emails from .* were reported as spam \(0\.5%\)\. Above 0\.3%/,
    );
  },
};
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const ArabicPhone: Story = { args: { width: 390 }, globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
