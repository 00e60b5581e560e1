import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

/** Invites a person to the product. */
const meta = {
  ...onEmail,
  title: 'Emails/Invitation',
  component: Email,
  args: { email: 'invite' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = {};
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };
/** PrintMargin’s own template, in `site/mails`. */
export const OwnTemplate: Story = { globals: { brand: 'printmargin' } };

export const Spanish: Story = { globals: { locale: 'es' }, tags: ['!dev', '!autodocs'] };
export const ArabicDark: Story = {
  globals: { brand: 'bright', locale: 'ar', theme: 'dark' },
  tags: ['!dev', '!autodocs'],
};
