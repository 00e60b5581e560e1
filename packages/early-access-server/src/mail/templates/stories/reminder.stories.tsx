import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

/** Repeats the confirmation email after three days. */
const meta = {
  ...onEmail,
  title: 'Emails/Reminder',
  component: Email,
  args: { email: 'reminder' },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** As it is sent. The toolbar has languages, brands, dark mode and widths. */
export const Usual: Story = {};
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };
/** PrintMargin’s own template, in `site/mails`. */
export const OwnTemplate: Story = { globals: { brand: 'printmargin' } };

export const Bright: Story = { globals: { brand: 'bright' }, tags: ['!dev', '!autodocs'] };
export const ArabicPhone: Story = { args: { width: 390 }, globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
export const OwnTemplateGermanPhone: Story = {
  args: { width: 390 },
  globals: { brand: 'printmargin', locale: 'de' },
  tags: ['!dev', '!autodocs'],
};
