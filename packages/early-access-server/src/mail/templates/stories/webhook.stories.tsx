import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail, withHeading } from '../../../../../../.storybook/email.tsx';

/** Notifies an admin that a webhook was disabled. */
const meta = {
  ...onEmail,
  title: 'Emails/Webhook disabled',
  component: Email,
  args: { email: 'webhook' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = { play: withHeading('A webhook was disabled') };
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const Bright: Story = { globals: { brand: 'bright' }, tags: ['!dev', '!autodocs'] };
export const SpanishDark: Story = { globals: { locale: 'es', theme: 'dark' }, tags: ['!dev', '!autodocs'] };
