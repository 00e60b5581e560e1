import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

/** Notifies an admin of new signups. */
const meta = {
  ...onEmail,
  title: 'Emails/New signups',
  component: Email,
  args: { email: 'signups' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = {};
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const ArabicPhone: Story = { args: { width: 390 }, globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
