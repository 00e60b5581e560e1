import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail, withHeading } from '../../../../../../.storybook/email.tsx';

/** Contains the link that signs an admin in to the dashboard. */
const meta = {
  ...onEmail,
  title: 'Emails/Sign-in link',
  component: Email,
  args: { email: 'signIn' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = { play: withHeading('Your sign-in link') };
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const BrightDark: Story = { globals: { brand: 'bright', theme: 'dark' }, tags: ['!dev', '!autodocs'] };
