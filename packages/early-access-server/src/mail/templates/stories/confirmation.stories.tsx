import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

/** Asks people to confirm their address, if `CONFIRM` is on. */
const meta = {
  ...onEmail,
  title: 'Emails/Confirmation',
  component: Email,
  args: { email: 'confirmation' },
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
export const Arabic: Story = { globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
export const OwnTemplateArabicDark: Story = {
  globals: { brand: 'printmargin', locale: 'ar', theme: 'dark' },
  tags: ['!dev', '!autodocs'],
};
