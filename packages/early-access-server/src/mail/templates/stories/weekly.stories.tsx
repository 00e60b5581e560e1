import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail, withHeading } from '../../../../../../.storybook/email.tsx';

/** The last week’s figures, for admins who subscribe to them. */
const meta = {
  ...onEmail,
  title: 'Emails/Weekly',
  component: Email,
  args: { email: 'weekly' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = { play: withHeading('Your week in review') };
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const BrightPhone: Story = { args: { width: 320 }, globals: { brand: 'bright' }, tags: ['!dev', '!autodocs'] };
